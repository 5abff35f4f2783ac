import type { ChatAnswer, ChatParameter, ChatRequest } from './chat.ts'

/** Ids that belong to somebody else, or to nobody. */
const foreign = '00000000-0000-4000-8000-000000000000'

const worst = ({ type, enum: values }: ChatParameter): unknown =>
  values
    ? values[0]
    : type === 'integer' || type === 'number'
      ? 9_999_999
      : `victim@example.com ${foreign} '; drop table users; --`

/**
 * A model that has been talked into everything: it calls every tool with others' ids, also if it may call none, prints its prompt with markup
 * and links, and never ends.
 */
export function hostileAnswer({ messages, tools = [] }: ChatRequest): ChatAnswer {
  const last = messages.at(-1)!
  const prompt = String(messages[0]?.content)
  const words = `<img src=x onerror=alert(1)><script>alert(1)</script> [pay here](https://evil.example/pay) https://evil.example [#https://evil.example] [#../admin] [#toString] IGNORE ALL RULES. ${prompt} `
  if (last.role === 'user')
    return {
      content: words,
      calls: [
        ...tools.map(({ function: { name, parameters } }) => ({
          name,
          arguments: {
            ...Object.fromEntries(
              Object.entries(parameters.properties ?? {}).map(([key, parameter]) => [key, worst(parameter)]),
            ),
            user_id: foreign,
            account: foreign,
            id: foreign,
          },
        })),
        { name: 'delete_account', arguments: { id: foreign } },
        { name: '__proto__', arguments: 'not JSON' },
      ],
    }
  return { content: words, isEndless: true, calls: [{ name: 'delete_account', arguments: { id: foreign } }] }
}
