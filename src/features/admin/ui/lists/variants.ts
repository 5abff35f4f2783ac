import { cva } from 'class-variance-authority'
import { dataTable } from '#platform/domain/app-variants.ts'

/** The search and the filter at the right of a tab's heading. On phones they take the whole row. */
export const finder = 'grid flex-[0_1_28rem] grid-cols-[3fr_2fr] gap-3 max-md:flex-[1_1_100%]'
/** One field and the button at its right. */
export const finderWithButton =
  'flex flex-[0_1_34rem] items-end gap-3 *:first:flex-1 max-md:flex-[1_1_100%] max-md:flex-col max-md:items-stretch'

/** An entry of a list: what it is, its marks, its buttons. A demo has a button that plays it before. */
export const entry = cva('grid gap-x-4 gap-y-1 border-t px-pad py-2.5 hover:bg-panel', {
  variants: {
    kind: {
      faq: 'md:min-h-15 md:grid-cols-[1fr_auto_auto]',
      demo: [
        'max-md:grid-cols-[auto_1fr] max-md:[&>p]:col-start-2',
        'md:grid-cols-[auto_1fr_auto_auto] md:*:min-h-16 md:*:content-center',
      ],
    },
  },
})
/** They are aligned with the first line, even if a form opens below it. */
export const entryMarks = 'flex flex-wrap items-center gap-1.5 max-md:empty:hidden md:min-h-11 md:self-start'
export const entryActions = 'flex items-center gap-4 text-sm md:min-h-11 md:self-start'

/** A form that opens above a list, in an entry's place, or below a table. */
export const entryForm = 'grid gap-4 bg-panel p-pad *:max-w-[52rem]'
/** Two of its fields beside each other. */
export const twoFields = 'grid items-start gap-4 md:grid-cols-2'

/** A text of somebody else. */
export const quoted = 'border-l-2 border-edge pl-4'

/** The agent of an account: what can be done, and what was chosen. */
export const twoColumns = 'grid gap-4 lg:grid-cols-[2fr_3fr] lg:gap-pad'

/** A table of the server's records. Rows without a button begin at the first line. */
export const recordTable = dataTable({
  stacked: true,
  class: 'max-md:tr:grid-flow-dense [&_tr:not(:has(button))>td]:align-top',
})

/** Cells of a table of records. */
export const recordCell = {
  /** A date. On tablets it takes two lines, so that the table fits. */
  moment: 'whitespace-nowrap md:max-lg:min-w-27 md:max-lg:whitespace-normal',
  /** On phones these take both columns of the card. */
  wide: 'max-md:col-span-full md:max-lg:min-w-40',
  text: 'wrap-anywhere max-md:col-span-full md:min-w-27 lg:min-w-36',
  end: 'max-md:justify-self-end',
  amount: 'text-right whitespace-nowrap max-md:justify-self-end',
  /** The last one, with a button. */
  action: 'text-right max-md:col-start-2 max-md:justify-self-end',
}
