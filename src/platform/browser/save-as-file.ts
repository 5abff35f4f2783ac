export interface NamedFile {
  name: string
  content: Blob
}

/** Downloads text or bytes as a file. */
export function saveAsFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has read the URL by the next task.
  setTimeout(() => URL.revokeObjectURL(url))
}
