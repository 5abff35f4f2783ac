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
    // What the system refuses has its own words.
    if (place === undefined || (cause as NodeJS.ErrnoException).syscall !== undefined) throw cause
    throw new Error(
      `${place} is damaged. Put back a copy of ${dirname(place)}, or delete that directory to begin anew.`,
      { cause },
    )
  }
}
