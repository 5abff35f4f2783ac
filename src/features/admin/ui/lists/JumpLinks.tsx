import { adminTabs, type AdminTab } from '#admin/domain/tabs.ts'

/** A part of a tab: the id of its heading, and its name. */
export interface Part {
  id: string
  name: string
}

interface Props {
  tab: AdminTab
  parts: readonly Part[]
}

/** Links to the parts of a long tab. Only a phone shows them (admin.css). */
export const JumpLinks = ({ tab, parts }: Props) => (
  <nav className="jumps rule text-sm" aria-label={`Parts of ${adminTabs.names[tab]}`}>
    <ul>
      {parts.map(({ id, name }) => (
        <li key={id}>
          <a href={`#${id}`}>{name}</a>
        </li>
      ))}
    </ul>
  </nav>
)
