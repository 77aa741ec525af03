import { brotliDecompress, constants, createBrotliCompress } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { acceptedEncoding, encode, type Encoded } from './encoding.ts';

/** Length of a placeholder's value, in ASCII characters: that of a nonce and of an ISO 8601 instant. */
const placeLength = 24;

/** A text with placeholders for each response, compressed with Brotli only once. */
export interface KeptText<Place extends string> {
  encode(acceptEncoding: string | undefined, values: Readonly<Record<Place, string>>): Promise<Encoded>;
}

/** Creates a marker for each placeholder. Markers are random in each process, so that no foreign text contains one. */
export function makeMarks<Place extends string>(places: readonly Place[]): Readonly<Record<Place, string>> {
  const mark = () => randomBytes(placeLength / 2).toString('hex');
  return Object.fromEntries(places.map((place) => [place, mark()])) as Record<Place, string>; // the names are those of `places`
}

/** Prepares a text with markers. Until it is compressed, or if that fails, each response is compressed separately. */
export function keepText<Place extends string>(text: string, marks: Readonly<Record<Place, string>>): KeptText<Place> {
  const places = new Map(Object.entries<string>(marks).map(([place, mark]) => [mark, place as Place])); // the names are those of `marks`
  const pieces = text.split(new RegExp(`(${[...places.keys()].join('|')})`));
  const fill = (values: Readonly<Record<Place, string>>) =>
    pieces.map((piece, index) => (index % 2 === 0 ? piece : fillPlace(piece, values))).join('');
  const fillPlace = (mark: string, values: Readonly<Record<Place, string>>): string => {
    const place = places.get(mark);
    return place === undefined ? mark : values[place];
  };
  let compressed: Compressed | null | undefined;
  const compress = async () => {
    compressed = null;
    const made = await compressAround(pieces).catch(() => null);
    if (made !== null && (await isSound(made, pieces))) compressed = made;
  };
  return {
    async encode(acceptEncoding, values) {
      if (acceptedEncoding(acceptEncoding) !== 'br') return encode(fill(values), acceptEncoding, 'always');
      if (compressed === undefined) void compress();
      if (!compressed) return encode(fill(values), acceptEncoding, 'always');
      return { body: compressed.fill((mark) => fillPlace(mark, values)), encoding: 'br' };
    },
  };
}

interface Compressed {
  readonly fill: (fillPlace: (mark: string) => string) => Buffer;
}

/** Bytes that do not occur in texts: control characters except whitespace. Their number is prime. */
const controls = [...Array.from({ length: 31 }, (_, byte) => byte + 1), 0x7f].filter(
  (byte) => ![0x09, 0x0a, 0x0d].includes(byte),
);

/**
 * Fills a placeholder while the surrounding text is compressed. No pair of its bytes occurs twice, in any placeholder. So the compressor neither
 * copies from it nor changes the last distances that later copies refer to.
 */
function encodeFiller(place: number): Buffer {
  return Buffer.from(
    Array.from({ length: placeLength }, (_, step) => controls[(step * (place + 1)) % controls.length] ?? 0),
  );
}

/** Previous bytes that determine how a byte is coded (RFC 7932, section 7.1). As many bytes after a placeholder are stored with it. */
const context = 2;

/** Compresses pieces, every second one a marker, as one stream. Each placeholder is an uncompressed meta-block (RFC 7932, section 9.2). */
async function compressAround(pieces: readonly string[]): Promise<Compressed> {
  const encoder = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  const parts: (Buffer | { readonly mark: string; readonly tail: Buffer })[] = [];
  let chunks: Buffer[] = [];
  encoder.on('data', (chunk: Buffer) => chunks.push(chunk));
  const write = async (bytes: Buffer): Promise<Buffer> => {
    encoder.write(bytes);
    await new Promise<void>((done) => encoder.flush(constants.BROTLI_OPERATION_FLUSH, done));
    const written = Buffer.concat(chunks);
    chunks = [];
    return written;
  };
  for (const [index, piece] of pieces.entries()) {
    const bytes = Buffer.from(piece);
    if (index % 2 === 0) parts.push(await write(index === 0 ? bytes : bytes.subarray(context)));
    else {
      const tail = Buffer.from(pieces[index + 1] ?? '').subarray(0, context);
      await write(Buffer.concat([encodeFiller((index - 1) / 2), tail]));
      parts.push({ mark: piece, tail });
    }
  }
  const ended = new Promise((done) => encoder.once('end', done));
  encoder.end();
  await ended;
  parts.push(Buffer.concat(chunks));
  return {
    fill: (fillPlace) =>
      Buffer.concat(
        parts.flatMap((part) =>
          Buffer.isBuffer(part) ? [part] : uncompressed(Buffer.concat([Buffer.from(fillPlace(part.mark)), part.tail])),
        ),
      ),
  };
}

/** Encodes an uncompressed meta-block: not the last one, its length in four nibbles, and the bit ISUNCOMPRESSED. */
function uncompressed(bytes: Buffer): Buffer[] {
  const header = Buffer.alloc(3);
  header.writeUIntLE(((bytes.length - 1) << 3) | (1 << 19), 0, 3);
  return [header, bytes];
}

/** Whether the stream decompresses to the expected text. It is checked once before it is used. */
async function isSound(compressed: Compressed, pieces: readonly string[]): Promise<boolean> {
  const [one, other] = [makeMarks(['a']).a, makeMarks(['a']).a];
  for (const value of [one, other]) {
    const text = pieces.map((piece, index) => (index % 2 === 0 ? piece : value)).join('');
    const read = await promisify(brotliDecompress)(compressed.fill(() => value)).catch(() => null);
    if (read?.toString() !== text) return false;
  }
  return true;
}
