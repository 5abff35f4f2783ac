import { cva } from 'class-variance-authority'
import { frame } from './variants.ts'

/* What the portal, the admin area and the flows have, and public pages have not. */

/** A frame whose lines go on to the footer. */
export const fillFrame = `${frame} flex flex-col *:last:flex-1`

/** Parts below each other. Buttons keep their width, and a line without words takes no room. */
export const stack = 'flex flex-col gap-4 [&>:is(a,button)]:self-start [&>p:empty]:-mt-4'

/** Buttons and links beside each other. */
export const buttonRow = 'flex flex-wrap items-center gap-x-6 gap-y-3'

/** The fields of a form, one below the other. */
export const formGrid = 'grid max-w-form gap-6'

/** Lines with a button at the right, a hairline below each. */
export const lineList =
  '*:flex *:flex-wrap *:items-center *:justify-between *:gap-x-3 *:gap-y-1 *:border-b *:py-2'

/** An entry that a customer makes: its fields, and what can be done with it. */
export const entryGrid = 'grid min-w-0 gap-3 border-b pb-3 last:border-b-0 last:pb-0'

/** A control with its label above, and the problem or a hint below. */
export const fieldGrid = 'grid min-w-0 gap-1.5'
export const fieldLabel = 'text-sm/[1.5] font-semibold'
export const fieldLegend = `${fieldLabel} mb-1.5 p-0`

/** A text field, a text area, a choice or a file. An invalid one has a thicker border, and stays as high. */
export const inputBox = cva(
  [
    'w-full rounded-strip border border-edge bg-panel placeholder:text-ink-2 placeholder:opacity-100',
    'focus-visible:outline-offset-0 aria-invalid:border-2 aria-invalid:border-bad [&[readonly]]:bg-well',
  ],
  {
    variants: {
      kind: {
        line: 'min-h-target px-3.5 py-2.5 aria-invalid:px-[13px] aria-invalid:py-[9px]',
        area: 'min-h-32 resize-y px-3.5 py-2.5 aria-invalid:px-[13px] aria-invalid:py-[9px]',
        /** An area of two lines. */
        short: 'min-h-20 resize-y px-3.5 py-2.5 aria-invalid:px-[13px] aria-invalid:py-[9px]',
        choice: 'min-h-target py-2.5 pr-2 pl-3.5 aria-invalid:py-[9px] aria-invalid:pl-[13px]',
        file: [
          'min-h-target px-2 py-[7px] file:mr-3 file:min-h-8 file:cursor-pointer file:rounded-strip',
          'file:border file:border-solid file:border-ink file:bg-transparent file:px-3 file:font-semibold',
        ],
      },
    },
    defaultVariants: { kind: 'line' },
  },
)

/** The problem with a field, or with what was tried: a sentence after a barred lamp. */
export const problemLine =
  'lamp lamp-bar flex items-baseline gap-2 text-sm font-semibold text-balance text-bad-text before:mt-[calc(0.5lh-5px)] before:self-start empty:before:hidden'

/** A heading with buttons at its right. */
export const titleRow = 'flex flex-wrap items-center justify-between gap-x-6 gap-y-3'

/**
 * A table: rows of 60 px, divided by lines. A stacked one has a card of two columns for each row on phones: a cell
 * takes both by `max-md:col-span-full`, and stands at the right by `max-md:justify-self-end`.
 */
export const dataTable = cva(
  'w-full border-collapse text-sm leading-[1.4] th:px-4 th:py-3 th:text-left md:max-lg:th:px-2 td:h-15 td:border-t td:px-4 td:py-2.5 md:max-lg:td:px-2 tr:hover:bg-panel',
  {
    variants: {
      stacked: {
        false: 'th:first:pl-pad th:last:pr-pad td:first:pl-pad td:last:pr-pad',
        true: [
          'max-md:block md:th:first:pl-pad md:th:last:pr-pad md:td:first:pl-pad md:td:last:pr-pad max-md:[&>tbody]:block',
          'max-md:tr:grid max-md:tr:grid-cols-[1fr_auto] max-md:tr:items-center max-md:tr:gap-x-4 max-md:[&>thead]:sr-only',
          'max-md:td:h-auto max-md:td:border-0 max-md:td:p-0 max-md:tr:gap-y-1.5 max-md:tr:border-t max-md:tr:px-pad max-md:tr:py-3.5',
        ],
      },
    },
    defaultVariants: { stacked: false },
  },
)

/** Dots in the place of a text that is loading (skeletons.css). */
export const skeleton = cva('skel', {
  variants: { size: { line: 'h-5', short: 'h-5 w-2/5', long: 'h-5 w-[72%]', block: 'h-30' } },
  defaultVariants: { size: 'line' },
})

/** A notice above a page's content. Its button is at the left, because a toast lies over the right. */
export const notice = 'bg-panel [box-shadow:inset_4px_0_0_var(--color-signal)]'
/** The frame of a notice: its words and its button. */
export const noticeRow = `${frame} flex flex-wrap items-start gap-x-6 gap-y-3 p-pad max-2xl:flex-col 2xl:items-center`

/** The tabs of the portal and the admin area, in the bar. On phones they are a row that goes on sideways. */
export const tabBar = {
  frame: `${frame} flex min-h-16 flex-wrap items-center lg:grid lg:grid-cols-[3fr_8fr_1fr]`,
  logo: 'my-2.5 ml-pad lg:my-0 lg:justify-self-start',
  nav: 'order-1 w-full border-t lg:order-none lg:self-stretch lg:border-x lg:border-t-0',
  list: 'max-md:scroll-cue max-md:flex md:grid md:auto-cols-fr md:grid-flow-col',
  item: 'max-md:flex-[1_0_auto] not-first:border-l',
  tab: [
    'flex min-h-16 w-full flex-col items-start justify-between py-3 pr-4 pl-3 text-sm no-underline outline-offset-[-4px] max-md:min-h-14 md:pr-0 min-[90rem]:pl-pad',
    'lamp [--lamp-edge:var(--color-edge)] hover:bg-panel aria-[current=page]:font-semibold aria-[current=page]:lamp-lit',
  ].join(' '),
  out: 'mr-pad ml-auto text-sm lg:order-2 lg:m-0 lg:justify-self-center',
}
