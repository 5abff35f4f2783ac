import { dirname } from 'node:path'

/**
 * Opens a part of the data directory.
 * @param place the part's path; undefined if it is in memory
 * @throws Error that names the part and what to do, if it cannot be read
 */
export async function openPart<Part>(
  place: string | undefined,
  open: () => Part | Promise<Part>,
): Promise<Part> {
  try {
    return await open()
  } catch (cause) {
    if (place === undefined) throw cause
    throw new Error(
      `${place} is damaged: ${cause instanceof Error ? cause.message : String(cause)}. ` +
        `Put back a copy of ${dirname(place)}, or delete that directory to begin anew.`,
      { cause },
    )
  }
}
