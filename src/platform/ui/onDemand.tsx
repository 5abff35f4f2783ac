import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { onUse } from '#platform/browser/loading.ts'
import { Waiting } from './Waiting.tsx'

/**
 * Returns a component whose code is loaded with it. While it loads, the page shows that; if it does not load, the page's
 * notice offers a reload (src/page-scripts/loading/notice.ts).
 * @param load imports the component; `ready` of the returned one does it ahead
 * @param meanwhile is shown while a part of a page loads; without it, the whole page says that it does
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile?: ReactNode,
) {
  let Loaded: ComponentType<Props> | undefined
  let loading: Promise<boolean> | undefined

  /** Loads the code unless it has been. Resolves to whether it is there. */
  const ready = (): Promise<boolean> => (loading ??= attempt())
  async function attempt(): Promise<boolean> {
    try {
      Loaded = await load()
      return true
    } catch {
      loading = undefined
      return false
    }
  }

  function OnDemand(props: Props) {
    const [isFailed, setFailed] = useState(false)
    const [Part, setPart] = useState(() => Loaded)
    const [tries, setTries] = useState(1)
    useEffect(() => {
      let isGone = false
      void ready().then((isThere) => {
        if (isGone) return
        setFailed(!isThere)
        setPart(() => Loaded)
      })
      return () => void (isGone = true)
    }, [tries])
    if (Part) return <Part {...props} />
    if (meanwhile && !isFailed) return meanwhile
    return <Waiting failed={isFailed} onRetry={() => setTries(tries + 1)} />
  }
  return Object.assign(OnDemand, { ready })
}

/**
 * Returns a text as a function writes it whose code is loaded for it; until then as it stands.
 * @param text null stays null
 * @param load imports the function; always the same one
 */
export function useWritten(
  text: string | null,
  load: () => Promise<(text: string) => string>,
): string | null {
  const [written, setWritten] = useState({ text, as: text })
  useEffect(() => {
    let isGone = false
    void onUse(load(), (write) => !isGone && setWritten({ text, as: text && write(text) }))
    return () => void (isGone = true)
  }, [text, load])
  return written.text === text ? written.as : text
}
