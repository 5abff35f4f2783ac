import type { APIRoute } from 'astro'
import sharp from 'sharp'
import { plainIcon } from '#components/brand.ts'

const size = 32

/** Returns the icon for browsers without SVG icons: an .ico file that contains one PNG. */
export const GET: APIRoute = async () => {
  const image = await sharp(Buffer.from(plainIcon), { density: 300 })
    .resize(size, size)
    .png({ palette: true })
    .toBuffer()
  const head = Buffer.alloc(22)
  // The type of an icon, one image; its width and height, its planes and bits; its length and place.
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(image.length, 14)
  head.writeUInt32LE(head.length, 18)
  return new Response(new Uint8Array(Buffer.concat([head, image])))
}
