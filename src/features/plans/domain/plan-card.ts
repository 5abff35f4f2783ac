/**
 * The classes of a plan's card. On phones name and price share a line, and so do the dots (six pixels each, beside the
 * longest text) and what they stand for.
 */
export const planCard = {
  card: [
    'flex flex-col gap-6 max-md:grid max-md:grid-cols-[1fr_auto] max-md:items-end max-md:gap-x-4 max-md:gap-y-3 max-md:py-6',
    'max-md:[&>.hundred]:max-w-30 max-md:[&>.hundred]:[grid-area:2/1] max-md:[&>dl]:col-span-full',
  ].join(' '),
  head: 'flex min-h-7 flex-wrap items-center justify-between max-md:justify-start max-md:gap-3',
  subtitle: 'mt-1 basis-full text-sm/[1.5] text-ink-2',
  priceLine: 'max-md:contents',
  price:
    'mt-2 mb-2.5 block text-[clamp(3.25rem,5vw,4.5rem)] leading-[0.9] tracking-tight [font-variant-numeric:tabular-nums] max-md:m-0 max-md:text-right max-md:text-[2.25rem] max-md:[grid-area:1/2]',
  period: 'text-ink-2 max-md:text-right max-md:text-sm/[1.5] max-md:[grid-area:2/1/3/3]',
  /** Added to its button. */
  action: 'mt-auto max-md:col-span-full',
}
