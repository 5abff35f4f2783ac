import type { APIRoute } from 'astro'
import sharp from 'sharp'
import { tileIcon } from '#components/brand.ts'

/** Returns the icon for home screens. */
export const GET: APIRoute = async () =>
  new Response(
    new Uint8Array(
      await sharp(Buffer.from(tileIcon()), { density: 500 })
        .resize(180, 180)
        .png({ palette: true })
        .toBuffer(),
    ),
  )
