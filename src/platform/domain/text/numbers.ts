const format = new Intl.NumberFormat('en-US')

/** Writes 10000 as "10,000". All numbers share one formatter, because creating one costs more than a hundred uses. */
export const grouped = (value: number): string => format.format(value)

/**
 * Writes an amount of money: 150000 cents as "$1,500.00".
 * @param cents in the currency's smallest unit
 * @param currency an ISO 4217 code, in any case
 * @param fractionDigits 0 rounds to the whole unit
 */
export const money = (cents: number, currency: string, fractionDigits: 0 | 2 = 2): string =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
  }).format(cents / 100)

/** Writes a file's size: "12.4 MB", "340 kB". */
export const sizeLabel = (bytes: number): string =>
  bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1e3))} kB`
