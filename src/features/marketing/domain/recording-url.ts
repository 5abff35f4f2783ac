/**
 * Tells whether a text may be the URL of a recording: a path on our own origin, or an absolute URL of http or https.
 * Browsers read `/\host` and `/`, a tab, `/host` like `//host`, which is another host. So backslashes, spaces and control
 * characters are refused. The database checks the same (SQL: `audio_demos`).
 */
export const isRecordingUrl = (text: string): boolean =>
  /^(?:\/(?!\/)|https?:\/\/(?!\/))[^\\\s\p{Cc}]+$/u.test(text)
