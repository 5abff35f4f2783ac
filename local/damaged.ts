import { dirname } from 'node:path'

/**
 * Opens a file or folder of the data directory.
 * @param place its path; undefined if it is in memory
 * @throws Error with its path and the remedy, if it cannot be read
 */
export async function openPart<Part>(
  place: string | undefined,
  open: () => Part | Promise<Part>,
): Promise<Part> {
  try {
    return await open()
  } catch (cause) {
    // Errors of the operating system already have a message.
    if (place === undefined || (cause as NodeJS.ErrnoException).syscall !== undefined) throw cause
    throw new Error(
      `${place} is damaged. Restore a copy of ${dirname(place)}, or delete that directory to start again.`,
      { cause },
    )
  }
}
