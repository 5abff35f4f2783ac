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

/** Links to the parts of a long tab. Only a phone shows them. */
export const JumpLinks = ({ tab, parts }: Props) => (
  <nav className="border-t text-sm md:hidden" aria-label={`Parts of ${adminTabs.names[tab]}`}>
    <ul className="flex scroll-cue">
      {parts.map(({ id, name }) => (
        <li className="flex-none not-first:border-l" key={id}>
          <a className="flex min-h-11 items-center px-pad" href={`#${id}`}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)
