/** URLs that a demo may have, and texts that it may not: browsers read most of them as another host. */
export const recordingUrls = {
  accepted: [
    '/audio/hotel.mp3',
    '/a',
    '/supabase/storage/v1/object/public/demos/1.wav',
    'https://cdn.example/a.mp3',
  ],
  refused: [
    '/\\evil.example/a.mp3',
    '//evil.example/a.mp3',
    '/\t/evil.example/a.mp3',
    '/\n/evil.example/a.mp3',
    'https:/\\evil.example',
    'https://cdn.example\\@evil.example',
    '/a b.mp3',
    'javascript:alert(1)',
    'audio/hotel.mp3',
    '/',
    '',
  ],
}
