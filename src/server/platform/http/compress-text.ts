import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

type Encoding = 'br' | 'gzip';

export interface EncodedText {
  readonly body: Buffer;
  readonly encoding: Encoding | undefined;
}

/**
 * Compresses a text if the client accepts it. Use `once` for a text that is compressed once and cached, and `always` for the text of a single
 * response.
 */
export async function compressText(
  text: string,
  acceptEncoding: string | undefined,
  effort: 'once' | 'always',
): Promise<EncodedText> {
  const body = Buffer.from(text);
  const encoding = selectContentEncoding(acceptEncoding);
  if (encoding === undefined) return { body, encoding };
  if (encoding === 'gzip') return { body: await promisify(gzip)(body, { level: effort === 'once' ? 9 : 5 }), encoding };
  const params = { [constants.BROTLI_PARAM_QUALITY]: effort === 'once' ? 10 : 4 };
  return { body: await promisify(brotliCompress)(body, { params }), encoding };
}

export function selectContentEncoding(header: string | undefined): Encoding | undefined {
  const allowed = (header ?? '')
    .split(',', 16) // browsers send four
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part));
  const names = new Set(allowed.map((part) => part.split(';', 1)[0]?.trim()));
  if (names.has('br')) return 'br';
  return names.has('gzip') ? 'gzip' : undefined;
}
