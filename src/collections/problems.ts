import type { z } from 'astro/zod'

/** A problem of one field of a content file, in words for its editor. */
export interface Problem {
  /** Such as `question` or `uses, entry 2, quote`; `text` is the text below the front matter. */
  field: string
  reason: string
}

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of fields',
}

const nameOf = (path: readonly PropertyKey[]): string =>
  path.map((part) => (typeof part === 'number' ? `entry ${part + 1}` : String(part))).join(', ')

const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null ? 'a group or list' : JSON.stringify(value)

/** Turns the issues of a schema into sentences. A misspelt field is reported under its own name. */
export function problemsOf(issues: readonly z.core.$ZodIssue[]): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    const field = nameOf(issue.path)
    switch (issue.code) {
      case 'unrecognized_keys':
        return issue.keys.map((key) => ({
          field: nameOf([...issue.path, key]),
          reason: 'is not a field that this file may have. Is it misspelt?',
        }))
      case 'invalid_type':
        return [
          {
            field,
            reason:
              issue.input === undefined || issue.input === null
                ? 'is missing.'
                : `must be ${kinds[issue.expected] ?? issue.expected}, not ${shown(issue.input)}.`,
          },
        ]
      case 'invalid_value':
        return [
          {
            field,
            reason:
              issue.input === undefined
                ? `is missing. It must be one of: ${issue.values.join(', ')}.`
                : `must be one of: ${issue.values.join(', ')}; not ${shown(issue.input)}.`,
          },
        ]
      default:
        return [{ field, reason: issue.message }]
    }
  })
}

/** Stops the build. It has no stack trace, which would say nothing to an editor. */
export class ContentError extends Error {
  override readonly name = 'ContentError'

  constructor(message: string) {
    super(message)
    this.stack = ''
  }
}

/** Returns the error message that stops the build. */
export const report = (problems: ReadonlyMap<string, readonly Problem[]>): string =>
  [
    'The content has mistakes. Nothing was published.',
    ...[...problems].flatMap(([file, list]) => [
      '',
      file,
      ...list.map(({ field, reason }) => `  ${field}: ${reason}`),
    ]),
    '',
    'docs/content.md explains every field.',
  ].join('\n')
