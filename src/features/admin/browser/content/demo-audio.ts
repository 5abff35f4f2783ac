import { filesOf } from '#platform/browser/supabase.ts'

const bucket = 'demos'

/** Reads a file as a data URL, which can be stored as text; undefined if it cannot be read. */
export function readAsDataUrl(file: Blob): Promise<string | undefined> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : undefined)
    reader.onerror = () => resolve(undefined)
    reader.readAsDataURL(file)
  })
}

/** Measures a recording in whole seconds; undefined if this browser cannot play it. */
export async function audioSeconds(file: Blob): Promise<number | undefined> {
  const audio = new Audio(URL.createObjectURL(file))
  const seconds = await new Promise<number>((resolve) => {
    audio.onloadedmetadata = () => resolve(audio.duration)
    audio.onerror = () => resolve(NaN)
  })
  URL.revokeObjectURL(audio.src)
  return Number.isFinite(seconds) ? Math.max(1, Math.round(seconds)) : undefined
}

/** Decodes a data URL; null for any other URL. The content security policy allows audio of blobs, not of data URLs. */
function blobOf(audioUrl: string): Blob | null {
  const [, type, base64] = /^data:([^;,]+);base64,(.*)$/.exec(audioUrl) ?? []
  if (!type || base64 === undefined) return null
  return new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type })
}

/** Reads a recording from its data URL or address; null if that failed. */
export async function readDemoAudio(audioUrl: string): Promise<Blob | null> {
  const held = blobOf(audioUrl)
  if (held) return held
  try {
    const answer = await fetch(audioUrl)
    return answer.ok ? await answer.blob() : null
  } catch {
    return null
  }
}

/** Uploads a recording that only this browser has. Returns its public address; undefined if that failed. */
export async function uploadDemoAudio(id: string, audioUrl: string): Promise<string | undefined> {
  const held = blobOf(audioUrl)
  if (!held) return audioUrl
  const path = `${id}.${/wav/.test(held.type) ? 'wav' : 'mp3'}`
  const files = await filesOf(bucket)
  const answer = await files?.upload(path, held, { contentType: held.type, upsert: true })
  if (!files || answer?.error !== null) return undefined
  const { publicUrl } = files.getPublicUrl(path).data
  const { origin, pathname } = new URL(publicUrl)
  return origin === location.origin ? pathname : publicUrl
}
