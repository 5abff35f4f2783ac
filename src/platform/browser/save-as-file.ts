export interface NamedFile {
  name: string
  content: Blob
}

/** Hands text or bytes to the browser's downloads. */
export function saveAsFile(name: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has taken hold of the bytes by the time the next task runs.
  setTimeout(() => URL.revokeObjectURL(address))
}
