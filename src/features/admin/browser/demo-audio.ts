import { supabase } from '#platform/browser/supabase.ts'

const bucket = 'demos'

/** The file as text that local storage can hold; undefined when it cannot be read. */
export function readAsDataUrl(file: Blob): Promise<string | undefined> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : undefined)
    reader.onerror = () => resolve(undefined)
    reader.readAsDataURL(file)
  })
}

/** How long a recording is, in whole seconds; undefined where this browser cannot play it. */
export async function audioSeconds(file: Blob): Promise<number | undefined> {
  const audio = new Audio(URL.createObjectURL(file))
  const seconds = await new Promise<number>((resolve) => {
    audio.onloadedmetadata = () => resolve(audio.duration)
    audio.onerror = () => resolve(NaN)
  })
  URL.revokeObjectURL(audio.src)
  return Number.isFinite(seconds) ? Math.max(1, Math.round(seconds)) : undefined
}

/** The bytes of a data address; null for every other address. The content policy plays blobs, not data. */
export function blobOf(audioUrl: string): Blob | null {
  const [, type, base64] = /^data:([^;,]+);base64,(.*)$/.exec(audioUrl) ?? []
  if (!type || base64 === undefined) return null
  return new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type })
}

/** A recording to listen to, wherever it is kept; null when it could not be had. */
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

/** Puts a recording that only this browser holds into the public bucket. Answers its address there. */
export async function uploadDemoAudio(id: string, audioUrl: string): Promise<string | undefined> {
  const held = blobOf(audioUrl)
  if (!held) return audioUrl
  const path = `${id}.${/wav/.test(held.type) ? 'wav' : 'mp3'}`
  const { error } = await supabase()
    .storage.from(bucket)
    .upload(path, held, { contentType: held.type, upsert: true })
  if (error) return undefined
  const { publicUrl } = supabase().storage.from(bucket).getPublicUrl(path).data
  const { origin, pathname } = new URL(publicUrl)
  return origin === location.origin ? pathname : publicUrl
}
