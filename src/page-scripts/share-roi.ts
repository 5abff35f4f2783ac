/** Shares the calculator's result as a picture. It is drawn when somebody asks for it. */
import { openGraphImage } from '#marketing/domain/open-graph.ts'
import { roiPicture } from '#marketing/domain/roi/roi-picture.ts'
import type { RoiInputs } from '#marketing/domain/roi/roi.ts'

async function drawn(svg: string): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  Object.assign(canvas, openGraphImage)
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('The picture could not be drawn')
  return blob
}

/** @returns what to tell the visitor; nothing if the device's own sheet has been shown */
export async function shareRoi(inputs: RoiInputs, url: string): Promise<string> {
  const files = [new File([await drawn(roiPicture(inputs))], 'calculation.png', { type: 'image/png' })]
  // Not every browser has this.
  if ((navigator as Partial<Navigator>).canShare?.({ files, url })) {
    try {
      await navigator.share({ files, url })
      return ''
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return ''
    }
  }
  const link = document.createElement('a')
  link.href = URL.createObjectURL(files[0] as File)
  link.download = 'calculation.png'
  link.click()
  URL.revokeObjectURL(link.href)
  return 'Picture saved'
}
