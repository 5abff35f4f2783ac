import { logo } from '#platform/domain/variants.ts'
import { site } from '#site'
import { routes } from '#platform/domain/routes.ts'
import { Mark } from '#platform/ui/drawing.tsx'

interface Props {
  href?: string
  class?: string
}

export const Logo = ({ href = routes.home, class: className = '' }: Props) => (
  <a className={`${logo} ${className}`} href={href}>
    <Mark />
    {site.name}
  </a>
)
