import { createHash } from 'node:crypto';

/** A4 and its margin, in points. */
const pageLayout = { width: 595, height: 842, margin: 56 } as const;
const titleSize = 16;
const textSize = 11;
const leading = 16;
/** Maximum length of a line, in characters. Any text of this length fits between the margins. */
const lineLength = 80;

/**
 * Creates a PDF with one page of text. It consists of uncompressed objects and a cross-reference table, so that signing programs can append to it.
 * The same text produces the same bytes. Characters beyond Latin-1 become question marks, because the standard fonts of PDF readers lack them.
 */
export function writeTextPdf(text: { language: string; title: string; paragraphs: readonly string[] }): Buffer {
  const { language, title, paragraphs } = text;
  const content = writeContent(title, paragraphs);
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /Lang (${language}) /ViewerPreferences << /DisplayDocTitle true >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageLayout.width} ${pageLayout.height}] /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> /Contents 4 0 R >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    writeFont('Helvetica'),
    writeFont('Helvetica-Bold'),
    `<< /Title ${writeLiteral(title)} >>`,
  ];
  return assemblePdf(objects, createHash('sha256').update(content).digest('hex').slice(0, 32));
}

/** A rectangle on the page, in points from the page's lower left corner. */
export type PdfRectangle = Readonly<Record<'left' | 'bottom' | 'right' | 'top', number>>;

/** Returns the area that the text may occupy. It extends to the right edge of the page, because long words are not split. */
export function readPdfTextArea(pdf: Buffer): PdfRectangle {
  const lines = pdf.toString('latin1').split(' Tj T*').length - 1;
  const bottom = pageLayout.height - pageLayout.margin - titleSize - (lines + 2) * leading;
  return { left: pageLayout.margin, bottom, right: pageLayout.width, top: pageLayout.height - pageLayout.margin };
}

function writeContent(title: string, paragraphs: readonly string[]): string {
  const top = pageLayout.height - pageLayout.margin - titleSize;
  const lines = paragraphs.flatMap((paragraph) => [...wrapText(paragraph), '']);
  return [
    'BT',
    `/F2 ${titleSize} Tf`,
    `${pageLayout.margin} ${top} Td`,
    `${writeLiteral(title)} Tj`,
    `/F1 ${textSize} Tf`,
    `${leading} TL`,
    `0 -${2 * leading} Td`,
    ...lines.map((line) => `${writeLiteral(line)} Tj T*`),
    'ET',
  ].join('\n');
}

function writeFont(name: string): string {
  return `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
}

function writeLiteral(text: string): string {
  const plain = text.normalize('NFC').replace(/[^\x20-\x7e\u00a1-\u00ff]/g, '?');
  return `(${plain.replace(/[\\()]/g, '\\$&')})`;
}

function wrapText(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= lineLength) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function assemblePdf(objects: readonly string[], id: string): Buffer {
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R /ID [<${id}> <${id}>] >>`;
  return Buffer.from(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  );
}
