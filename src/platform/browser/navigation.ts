/** Leaves for another page of ours; Back does not lead to this one again. */
export const replacePage = (address: string): void => location.replace(address)

/** Leaves for another page; Back leads here. */
export const openPage = (address: string): void => location.assign(address)
