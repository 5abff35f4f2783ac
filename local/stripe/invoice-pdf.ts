import type { Stripe } from 'stripe'
import { money } from '#platform/domain/text/numbers.ts'

const pageHeight = 842
const lineHeight = 18

/** Writes a finalized invoice as a PDF of one page (PDF 1.4, with a font that every reader has). */
export function invoicePdf(invoice: Stripe.Invoice): Uint8Array<ArrayBuffer> {
  const lines = [
    `Invoice ${invoice.number ?? ''}`,
    `${new Date(invoice.created * 1000).toISOString().slice(0, 10)}   ${invoice.customer_email ?? ''}   ${invoice.status ?? ''}`,
    '',
    ...invoice.lines.data.map(
      (line) => `${money(line.amount, line.currency).padStart(12)}   ${line.description ?? ''}`,
    ),
    '',
    `${money(invoice.total, invoice.currency).padStart(12)}   Total`,
    `${money(invoice.amount_due, invoice.currency).padStart(12)}   Amount due`,
  ]
  const text = lines.map((line) => `(${escaped(line)}) Tj T*`).join('\n')
  const content = `BT /F1 11 Tf ${lineHeight} TL 56 ${pageHeight - 72} Td\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 ${pageHeight}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Uint8Array.from(Buffer.from(file, 'latin1'))
}

/** Escapes a line; the euro has a place of its own in the font's encoding. */
const escaped = (text: string): string => text.replaceAll(/[\\()]/g, String.raw`\$&`).replaceAll('€', '\x80')
