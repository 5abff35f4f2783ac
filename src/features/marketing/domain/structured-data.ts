import { site as brand } from '#site'
import { openGraphFile } from './open-graph.ts'
import { currency, plans, type Plan } from '#plans/domain/plans.ts'
import { absoluteUrl, routes } from '#platform/domain/routes.ts'

/**
 * Structured data for search engines, in the vocabulary of schema.org. `site` is the URL of the site. The postal
 * address is left out, because the one in src/site.ts is an example.
 */
const context = 'https://schema.org'
const organizationId = (site: URL | undefined): string => `${absoluteUrl(routes.home, site)}#organization`

/** Returns the data of the home page: the publisher and the name of the site. */
export const homeData = (site: URL | undefined) => ({
  '@context': context,
  '@graph': [
    {
      '@type': 'Organization',
      '@id': organizationId(site),
      name: brand.name,
      description: brand.description,
      url: absoluteUrl(routes.home, site),
      logo: absoluteUrl('/apple-touch-icon.png', site),
    },
    {
      '@type': 'WebSite',
      name: brand.name,
      url: absoluteUrl(routes.home, site),
      publisher: { '@id': organizationId(site) },
    },
  ],
})

/** Returns the data of the pricing page: the product, with an offer for each plan that has a price. */
export const pricingData = (site: URL | undefined) => ({
  '@context': context,
  '@type': 'Product',
  name: brand.name,
  description: brand.description,
  image: absoluteUrl(openGraphFile(routes.pricing), site),
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
      url: absoluteUrl(routes.pricing, site),
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

/** Returns the data of the FAQ page. An answer may contain HTML. */
export const faqData = (questions: readonly { question: string; answer: string }[]) => ({
  '@context': context,
  '@type': 'FAQPage',
  mainEntity: questions.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
})

/** Returns the breadcrumbs of a page, from the home page to the page itself. */
export const breadcrumbData = (site: URL | undefined, trail: readonly { name: string; path: string }[]) => ({
  '@context': context,
  '@type': 'BreadcrumbList',
  itemListElement: trail.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: absoluteUrl(path, site),
  })),
})
