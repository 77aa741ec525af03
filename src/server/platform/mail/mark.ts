import { readFile } from 'node:fs/promises';

/** The product's mark as a mail carries it: no mail program shows SVG, and a picture from elsewhere would tell who reads when. */
export interface Mark {
  readonly filename: string;
  readonly cid: string;
  readonly contentType: 'image/png';
  readonly contentDisposition: 'inline';
  readonly content: Buffer;
}

/** What the HTML of a mail calls the mark. */
export const markCid = 'mark@portal';

/** Reads the mark of src/brand. */
export async function readMark(): Promise<Mark> {
  const content = await readFile(new URL('../../../brand/mark.png', import.meta.url));
  return { filename: 'mark.png', cid: markCid, contentType: 'image/png', contentDisposition: 'inline', content };
}

/** The mark as the outbox page shows it, where there is no mail around the HTML. */
export function withMark(html: string, { contentType, content }: Mark): string {
  return html.replaceAll(`cid:${markCid}`, `data:${contentType};base64,${content.toString('base64')}`);
}
