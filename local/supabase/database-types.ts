import type { Column, DatabaseFunction, Payload, Relation, Schema } from './schema-introspection.ts'

const numbers = ['int2', 'int4', 'int8', 'float4', 'float8', 'numeric']

/**
 * Returns the source code of a schema's types for supabase-js (`createClient<Database>`). The format is that of
 * `supabase gen types`, with three differences: computed columns cannot be written, arguments may be null if the function
 * accepts null, and a jsonb argument has the keys that the function checks.
 */
export function databaseTypes({ relations, functions, enums, payloads }: Schema): string {
  const known = new Set(relations.map(({ name }) => name))
  const typeOf = (type: string): string => {
    if (type.startsWith('_')) return `(${typeOf(type.slice(1))})[]`
    if (type === 'bool') return 'boolean'
    if (numbers.includes(type)) return 'number'
    if (type === 'json' || type === 'jsonb') return 'Json'
    if (type === 'void') return 'undefined'
    if (payloads.some(({ name }) => name === type)) return `Payloads[${quoted(type)}]`
    if (type === 'record') return 'Record<string, unknown>'
    if (enums.some(({ name }) => name === type)) return `Database['public']['Enums'][${quoted(type)}]`
    if (known.has(type)) {
      const kind = relations.some(({ name, isView }) => name === type && isView) ? 'Views' : 'Tables'
      return `Database['public']['${kind}'][${quoted(type)}]['Row']`
    }
    return 'string'
  }
  const read = (column: Column): string => typeOf(column.type) + (column.nullable ? ' | null' : '')
  const row = ({ columns }: Relation): string =>
    columns.map((column) => `${quoted(column.name)}: ${read(column)}`).join('\n')
  const write = (column: Column, optional: boolean): string =>
    column.computed
      ? `${quoted(column.name)}?: never`
      : `${quoted(column.name)}${optional ? '?' : ''}: ${read(column)}`
  const insert = ({ columns }: Relation): string =>
    columns.map((column) => write(column, column.nullable || column.hasDefault)).join('\n')
  const update = ({ columns }: Relation): string => columns.map((column) => write(column, true)).join('\n')
  const relationships = (relation: Relation): string =>
    `[${relation.relationships.map((each) => JSON.stringify(each)).join(', ')}]`

  const table = (relation: Relation): string => `${quoted(relation.name)}: {
    Row: { ${row(relation)} }
    Insert: { ${insert(relation)} }
    Update: { ${update(relation)} }
    Relationships: ${relationships(relation)}
  }`
  const view = (relation: Relation): string => `${quoted(relation.name)}: {
    Row: { ${row(relation)} }
    Relationships: ${relationships(relation)}
  }`
  const result = ({ table: columns, returns }: DatabaseFunction): string =>
    columns.length > 0
      ? `{ ${columns.map(({ name, type }) => `${quoted(name)}: ${typeOf(type)}`).join('; ')} }`
      : typeOf(returns)
  const keyOf = ({ name, type, comment }: Payload['keys'][number]): string =>
    `${quoted(name)}${comment === 'optional' ? '?' : ''}: ${readonlyOf(typeOf(type))} | null${comment === 'optional' ? ' | undefined' : ''}`
  const payload = ({ name, keys }: Payload): string =>
    `${quoted(name)}: { ${keys
      .filter(({ comment }) => comment !== 'former')
      .map(keyOf)
      .join('; ')} }`
  const args = ({ args: list, strict, payloads: checked }: DatabaseFunction): string =>
    list
      .map(({ name, type, optional }) => {
        const [, element, isList] =
          /^(\w+)(\[\])?$/.exec(checked.find(({ arg }) => arg === name)?.type ?? '') ?? []
        const known = element ? typeOf(element) + (isList ?? '') : typeOf(type)
        const read = readonlyOf(known) + (strict || known === 'Json' ? '' : ' | null')
        return `${quoted(name)}${optional ? '?' : ''}: ${read}`
      })
      .join('; ')
  const callable = (fn: DatabaseFunction): string => `${quoted(fn.name)}: {
    Args: ${fn.args.length > 0 ? `{ ${args(fn)} }` : 'never'}
    Returns: ${fn.returnsMany ? `(${result(fn)})[]` : result(fn)}
  }`
  const section = (name: string, entries: string[]): string =>
    `${name}: ${entries.length > 0 ? `{\n${entries.join('\n')}\n}` : '{ [_ in never]: never }'}`

  return `// Generated from the schemas by \`npm run types:db\`. Do not edit.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    ${section('Tables', relations.filter(({ isView }) => !isView).map(table))}
    ${section('Views', relations.filter(({ isView }) => isView).map(view))}
    ${section('Functions', functions.map(callable))}
    ${section(
      'Enums',
      enums.map(({ name, values }) => `${quoted(name)}: ${values.map(quoted).join(' | ')}`),
    )}
    CompositeTypes: { [_ in never]: never }
  }
}

/** The jsonb arguments of functions, key by key (SQL: \`private.check_payload\`). */
export type Payloads = {
${payloads.map(payload).join('\n')}
}

type PublicSchema = Database['public']
export type Tables<Name extends keyof (PublicSchema['Tables'] & PublicSchema['Views'])> =
  (PublicSchema['Tables'] & PublicSchema['Views'])[Name]['Row']
export type TablesInsert<Name extends keyof PublicSchema['Tables']> = PublicSchema['Tables'][Name]['Insert']
export type TablesUpdate<Name extends keyof PublicSchema['Tables']> = PublicSchema['Tables'][Name]['Update']
`
}

/** A list that a function only reads. */
const readonlyOf = (type: string): string => (type.endsWith('[]') ? `readonly ${type}` : type)

const quoted = (name: string): string => JSON.stringify(name)
