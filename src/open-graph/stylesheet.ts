/** Custom properties by name, `--color-ink` to `#171714`. */
export type Properties = Record<string, string>

/** The custom properties that the first block of `selector` declares in `css`. */
export function propertiesOf(css: string, selector: string): Properties {
  const block = css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? ''
  const pairs = [...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)]
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]))
}

/** `css` with each `var()` replaced by its value: what draws the pictures knows no custom properties. */
export function resolved(css: string, properties: Properties): string {
  const next = css.replace(/var\((--[\w-]+)(?:,\s*([^()]+))?\)/g, (whole, name, fallback) => {
    const value = properties[name] ?? fallback
    if (value === undefined) throw new Error(`No stylesheet gives ${whole} a value`)
    return value
  })
  return next === css ? css : resolved(next, properties)
}
