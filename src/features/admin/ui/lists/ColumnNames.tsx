/** Columns aligned to the right: numbers and actions. */
const rightAligned = new Set([
  'Amount',
  'Minutes',
  'Minutes used',
  'Revenue',
  'Cost of calls',
  'Margin',
  'Calls',
  'Attempts',
  'Action',
])

/** The names above the columns of a table. */
export const ColumnNames = ({ names }: { names: readonly string[] }) => (
  <thead>
    <tr>
      {names.map((name) => (
        <th
          className={`text-label text-ink-2 uppercase ${rightAligned.has(name) ? 'text-right' : ''}`}
          scope="col"
          key={name}
        >
          {name}
        </th>
      ))}
    </tr>
  </thead>
)
