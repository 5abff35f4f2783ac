import { cva } from 'class-variance-authority'

/** The page's frame: twelve columns between two hairlines. */
export const frame = 'mx-auto w-[calc(100%-2*var(--spacing-edge))] max-w-page border-x'

/** A label in capitals. */
export const label = 'text-label text-ink-2 uppercase'

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
