import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The places of a rebrand (docs/rebrand.md), each with what the check changes there. */
const places: Record<string, (text: string) => string> = {
  'src/site.ts': (text) =>
    text
      .replaceAll('Deskbell', 'Night & Co')
      .replaceAll('deskbell.example', 'night.example')
      .replaceAll('deskbell', 'night')
      .replace('1 Example Street', '7 Harbour Lane')
      .replace('00000 Example City', '2100 Copenhagen'),
  'src/features/plans/domain/plans.ts': (text) =>
    text
      .replace("'USD'", "'EUR'")
      .replace(/priceCents: \d[\d_]*/g, (price) => `priceCents: ${Number(price.replace(/\D/g, '')) + 37_00}`)
      .replace(/minutes: (\d+),\n/g, (_, minutes: string) => `minutes: ${Number(minutes) * 1.2},\n`)
      .replace('minutes: 50, cents: 40_00', 'minutes: 60, cents: 50_00')
      .replace('minutesPerDot = 50', 'minutesPerDot = 60')
      .replace("name: 'Starter'", "name: 'Solo'")
      .replace("name: 'Growth'", "name: 'Duet'")
      .replace("name: 'Pro'", "name: 'Quartet'")
      .replace("name: 'Enterprise'", "name: 'Orchestra'"),
  'src/styles/theme.css': (text) =>
    text.replace(/(--color-(?:paper|signal|lamp|ink): #)([0-9a-f]{6})/g, (_, name: string, value: string) => {
      const [red, green, blue] = [0, 2, 4].map((at) => value.slice(at, at + 2))
      return `${name}${blue}${red}${green}`
    }),
  'src/components/mark.svg': () =>
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect class="fi" x="4" y="4" width="24" height="24"/><circle class="fs" cx="16" cy="16" r="6"/></svg>\n',
}

export const rebrandedFiles = Object.keys(places)

/** Gives a copy of the project another name, address, colours, mark, currency, prices, minutes and names of plans. */
export function rebrand(folder: string): void {
  for (const [file, change] of Object.entries(places)) {
    const text = readFileSync(join(folder, file), 'utf8')
    const changed = change(text)
    if (changed === text) throw new Error(`${file} did not change`)
    writeFileSync(join(folder, file), changed)
  }
}
