import { useId, useState, type ReactNode } from 'react'
import { $unsaved } from '#platform/browser/storage/unsaved.ts'
import { badge } from '#platform/domain/variants.ts'
import { formGrid } from '#platform/domain/app-variants.ts'

/** How what is folded stands, in a word. */
const states = {
  done: { tone: 'ok', word: 'Done' },
  todo: { tone: 'warn', word: 'To do' },
  optional: { tone: 'off', word: 'Optional' },
  check: { tone: 'bad', word: 'Check this' },
  on: { tone: 'ok', word: 'On' },
  off: { tone: 'off', word: 'Off' },
  paused: { tone: 'warn', word: 'Paused' },
} as const

interface Props {
  title: string
  /** What is in it, in a line. */
  summary: ReactNode
  state?: keyof typeof states
  /** Whether it is open at first. */
  isOpen?: boolean
  /** Names what may be unsaved in it. It is open at first if that waits for the customer. */
  holds?: readonly string[]
  children: ReactNode
}

/** A part of a page that is closed at first. What is in it is there once it is open. */
export function Folded({
  title,
  summary,
  state,
  isOpen: isOpenAtFirst = false,
  holds = [],
  children,
}: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(
    () => isOpenAtFirst || holds.some((name) => $unsaved.get().get(name)?.isStuck),
  )
  return (
    <section aria-labelledby={id}>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="grid min-h-target cursor-pointer list-none grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 px-pad py-4 -outline-offset-3 hover:bg-panel [&::-webkit-details-marker]:hidden">
          <h2 className="flex lamp items-center gap-3 text-h4 in-open:lamp-disc" id={id}>
            {title}
          </h2>
          {state && <span className={badge({ tone: states[state].tone })}>{states[state].word}</span>}
          {!isOpen && (
            <span className="col-span-full line-clamp-2 pl-[22px] text-sm text-ink-2">{summary}</span>
          )}
        </summary>
        {isOpen && (
          <div className={`${formGrid} px-pad pt-2 pb-8 md:pl-[calc(var(--spacing-pad)+22px)]`}>
            {children}
          </div>
        )}
      </details>
    </section>
  )
}
