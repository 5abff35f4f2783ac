import { site } from '#site'
import { routes } from '#platform/domain/routes.ts'
import { Mark } from './drawing.tsx'

export const Logo = ({ href = routes.home }: { href?: string }) => (
  <a className="logo" href={href}>
    <Mark />
    {site.name}
  </a>
)
