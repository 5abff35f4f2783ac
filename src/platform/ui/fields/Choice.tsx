import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps, ReactNode } from 'react'

const choices = cva('grid rounded-strip border border-edge', {
  variants: {
    /** In columns, the line between two choices is one pixel of the frame's ground. */
    layout: {
      list: '[&>*+*]:border-t',
      columns:
        'grid-cols-[repeat(auto-fit,minmax(min(100%,15rem),1fr))] gap-px bg-line *:not-has-checked:bg-paper',
    },
  },
  defaultVariants: { layout: 'list' },
})

interface ChoicesProps extends VariantProps<typeof choices> {
  children: ReactNode
}

/** The frame around radio buttons or checkboxes that are cards, divided by lines. */
export const Choices = ({ layout, children }: ChoicesProps) => (
  <div className={choices({ layout })}>{children}</div>
)

interface ChoiceProps extends ComponentProps<'input'> {
  type: 'radio' | 'checkbox'
  /** The text beside the box, and a second one below it. */
  children: ReactNode
  detail?: ReactNode
}

/** A radio button or a checkbox whose label is a card. */
export const Choice = ({ children, detail, ...input }: ChoiceProps) => (
  <label className="grid cursor-pointer grid-cols-[24px_1fr] items-center gap-x-3 gap-y-1 p-4 [font:inherit] has-checked:bg-panel has-checked:[box-shadow:inset_4px_0_0_var(--color-signal)] has-focus-visible:outline-3 has-focus-visible:-outline-offset-3 has-focus-visible:outline-signal-text">
    <input className="m-0 size-5 accent-ink focus-visible:outline-0" {...input} />
    {children}
    {detail && <span className="col-start-2 text-sm text-ink-2">{detail}</span>}
  </label>
)
