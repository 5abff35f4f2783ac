import { site as brand } from '#site'
import { openGraphFile } from './open-graph.ts'
import { currency, plans, type Plan } from '#plans/domain/plans.ts'
import { addressOf, routes } from '#platform/domain/routes.ts'

/**
 * What search engines are told about a page, in schema.org's terms. `site` is the site's own address. The postal
 * address is not told: the one in src/site.ts is an example until somebody replaces it.
 */
const context = 'https://schema.org'
const organizationId = (site: URL | undefined): string => `${addressOf(routes.home, site)}#organization`

/** The home page: who publishes this, and what the site is called. */
export const homeData = (site: URL | undefined) => ({
  '@context': context,
  '@graph': [
    {
      '@type': 'Organization',
      '@id': organizationId(site),
      name: brand.name,
      description: brand.description,
      url: addressOf(routes.home, site),
      logo: addressOf('/apple-touch-icon.png', site),
    },
    {
      '@type': 'WebSite',
      name: brand.name,
      url: addressOf(routes.home, site),
      publisher: { '@id': organizationId(site) },
    },
  ],
})

/** The pricing page: the product, with an offer for each plan that has a price. */
export const pricingData = (site: URL | undefined) => ({
  '@context': context,
  '@type': 'Product',
  name: brand.name,
  description: brand.description,
  image: addressOf(openGraphFile(routes.pricing), site),
  brand: { '@type': 'Brand', name: brand.name },
  offers: plans.flatMap((plan) => offer(plan, site)),
})

function offer({ name, priceCents }: Plan, site: URL | undefined) {
  if (priceCents === null) return []
  const price = { price: priceCents / 100, priceCurrency: currency }
  return [
    {
      '@type': 'Offer',
      name,
      url: addressOf(routes.pricing, site),
      availability: `${context}/InStock`,
      ...price,
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        ...price,
        referenceQuantity: { '@type': 'QuantitativeValue', value: 1, unitCode: 'MON' },
      },
    },
  ]
}

/** The FAQ page. An answer may hold HTML. */
export const faqData = (questions: readonly { question: string; answer: string }[]) => ({
  '@context': context,
  '@type': 'FAQPage',
  mainEntity: questions.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
})

/** A page's place in the site, from the home page down to itself. */
export const breadcrumbData = (site: URL | undefined, trail: readonly { name: string; path: string }[]) => ({
  '@context': context,
  '@type': 'BreadcrumbList',
  itemListElement: trail.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: addressOf(path, site),
  })),
})
