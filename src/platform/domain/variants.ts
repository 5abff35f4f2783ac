import { cva } from 'class-variance-authority'

/** The page's frame: twelve columns between two hairlines. */
export const frame = 'mx-auto w-[calc(100%-2*var(--spacing-edge))] max-w-page border-x'

/** A row of twelve columns. Its parts are cells. */
export const gridRow = 'grid md:grid-cols-12'

/** The head of a section: a row above others, its cells have the room `head`. */
export const gridHead = 'grid pt-12 pb-8 md:grid-cols-12 md:pt-24 md:pb-12'

/** A part of a row. On phones the parts stand below each other. Neighbours share a hairline, but in a head. */
export const cell = cva('min-w-0', {
  variants: {
    /** Of twelve columns. Four of 3 stand two by two on tablets. */
    span: {
      3: 'md:col-span-6 lg:col-span-3',
      4: 'md:col-span-4',
      6: 'md:col-span-6',
      8: 'md:col-span-8',
      12: 'md:col-span-12',
    },
    /** `tall` has more room above and below, `side` stands beside a list, `head` above other rows, `join` has no lines beside it. */
    room: {
      normal: 'p-pad',
      tall: 'px-pad py-8 md:pt-16 md:pb-12',
      side: 'flex flex-col justify-between gap-6 px-pad pt-12 pb-6 md:pt-16 md:pb-8',
      join: 'p-pad not-first:border-t md:border-t-0! md:py-8',
      head: 'px-pad not-first:pt-4 md:not-first:self-end md:not-first:pt-0',
      none: '',
    },
  },
  compoundVariants: [
    {
      room: ['normal', 'tall', 'side', 'none'],
      span: [4, 6, 8],
      class: 'not-first:border-t md:not-first:border-t-0 md:not-first:border-l',
    },
    {
      room: ['normal', 'tall', 'side', 'none'],
      span: 3,
      class: [
        'not-first:border-t md:not-first:border-t-0 md:not-first:border-l',
        'md:nth-3:border-l-0 md:nth-[n+3]:border-t lg:nth-3:border-l lg:nth-[n+3]:border-t-0',
      ],
    },
    { room: ['normal', 'tall', 'side', 'none'], span: 12, class: 'not-first:border-t' },
  ],
  defaultVariants: { span: 4, room: 'normal' },
})

/** The bar of flows and industry pages: the logo, and a note at the right. */
export const plainBar = {
  frame: `${frame} flex min-h-16 items-center pl-pad`,
  note: 'ml-auto inline-flex items-center gap-2.5 pr-pad has-[.text]:gap-5',
}

/** The brand's mark and name. It leaves room for the menu on the narrowest phones, with the widest fonts. */
export const logo =
  'inline-flex min-h-11 items-center gap-2.5 text-[1.375rem] leading-none font-semibold tracking-[-0.035em] no-underline max-[22rem]:gap-1.5 max-[22rem]:text-[1.125rem]'

/** A button with a lamp. It is lit on the main action of a screen, and unlit on the others. */
export const button = cva(
  [
    'btn lamp cursor-pointer items-center justify-center rounded-strip border leading-[1.2] font-semibold no-underline',
    '[transition:background_var(--transition-duration-key),transform_var(--transition-duration-key)_var(--ease-key)]',
    'active:[transform:translateY(1px)]',
    'off:[transform:none] off:cursor-not-allowed off:border-well off:bg-well off:text-ink-2 off:lamp-ring',
  ],
  {
    variants: {
      kind: {
        main: 'border-ink bg-ink text-on-ink lamp-key hover:bg-[color-mix(in_srgb,var(--color-ink)_86%,var(--color-paper))]',
        other: 'border-ink text-ink lamp-ring hover:bg-panel hover:lamp-lit',
        danger: 'border-bad-solid bg-bad-solid text-on-enamel [--lamp-gap:var(--color-bad-solid)] lamp-bar',
      },
      size: {
        normal: 'min-h-target gap-3 py-2 pr-5 pl-[17px]',
        small: 'min-h-11 gap-[9px] py-1 pr-3.5 pl-3 text-sm',
      },
      /** As wide as its column, which is narrow on tablets: the longest label has to fit on one line. */
      full: { true: 'flex w-full md:max-lg:gap-2.5 md:max-lg:px-3', false: 'inline-flex' },
    },
    defaultVariants: { kind: 'main', size: 'normal', full: false },
  },
)

/** A button or a link that looks like text. */
export const textButton = cva(
  'text inline-flex cursor-pointer items-center font-semibold underline decoration-1 underline-offset-[0.22em] hover:decoration-2',
  {
    variants: {
      size: { normal: 'min-h-target', small: 'min-h-11' },
    },
    defaultVariants: { size: 'normal' },
  },
)

/** A state in a word, with a lamp whose shape says the same as the colour. */
export const badge = cva(
  'badge inline-flex lamp items-center gap-[7px] rounded-strip py-[3px] pr-[9px] pl-[7px] text-[0.8125rem] leading-[1.4] font-semibold whitespace-nowrap forced-colors:border',
  {
    variants: {
      tone: {
        off: 'bg-well lamp-ring',
        on: 'bg-well lamp-lit',
        ok: 'bg-ok-ground text-ok-text lamp-disc',
        warn: 'bg-warn-ground text-warn-text lamp-half',
        bad: 'bg-bad-ground text-bad-text [--lamp-gap:var(--color-bad-ground)] lamp-bar',
      },
    },
    defaultVariants: { tone: 'off' },
  },
)

/** A lamp above a name, as on a switchboard. */
export const lampAbove = cva('lamp before:mb-2 before:block', {
  variants: {
    state: {
      lit: 'lamp-lit',
      done: '[--lamp-edge:var(--color-ink)] [--lamp:var(--color-ink)]',
      unlit: '[--lamp-edge:var(--color-edge)]',
    },
  },
})

/** A bar that fills: an upload, a recording, the steps of a set-up. */
export const progressBar =
  'block h-2 w-full appearance-none border-0 bg-well [&::-moz-progress-bar]:bg-ink [&::-webkit-progress-bar]:bg-well [&::-webkit-progress-value]:bg-ink'

/** A list with dots as bullets, its entries divided by lines. */
export const ticks =
  '*:grid *:grid-cols-[22px_1fr] *:py-2.5 *:before:mt-[0.5em] *:before:size-2 *:before:rounded-full *:before:bg-ink [&>*+*]:border-t'

/** A list with the terms at the left and the values at the right. The row `data-sum` is a sum. */
export const ledger =
  '*:flex *:items-baseline *:justify-between *:gap-4 *:border-t *:py-[9px] *:data-sum:border-t-2 *:data-sum:border-ink *:data-sum:font-semibold dd:text-right dd:font-semibold dd:whitespace-nowrap'
