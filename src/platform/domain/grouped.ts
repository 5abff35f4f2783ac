const format = new Intl.NumberFormat('en-US')

/** "10,000" of 10000. One formatter for all: making one costs more than using it a hundred times. */
export const grouped = (value: number): string => format.format(value)
