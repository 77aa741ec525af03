import { brotliDecompress, constants, createBrotliCompress } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { acceptedEncoding, encode, type Encoded } from './encoding.ts';

/** Length of what stands in a place, in characters of ASCII: a nonce's and an instant's (ISO 8601). */
const placeLength = 24;

/** A text with places that each response fills anew, compressed by Brotli once. */
export interface KeptText<Place extends string> {
  encode(acceptEncoding: string | undefined, values: Readonly<Record<Place, string>>): Promise<Encoded>;
}

/** Stand in a text for its places: made up anew by each process, so that no text of somebody else holds one. */
export function makeMarks<Place extends string>(places: readonly Place[]): Readonly<Record<Place, string>> {
  const mark = () => randomBytes(placeLength / 2).toString('hex');
  return Object.fromEntries(places.map((place) => [place, mark()])) as Record<Place, string>; // of the same names
}

/** Keeps a text whose places are marked. Until it is compressed, and where it cannot be in this way, each response is by itself. */
export function keepText<Place extends string>(text: string, marks: Readonly<Record<Place, string>>): KeptText<Place> {
  const places = new Map(Object.entries<string>(marks).map(([place, mark]) => [mark, place as Place])); // of the marks' own names
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

/** Bytes that no text holds: control characters that are no blanks. A prime number of them. */
const controls = [...Array.from({ length: 31 }, (_, byte) => byte + 1), 0x7f].filter(
  (byte) => ![0x09, 0x0a, 0x0d].includes(byte),
);

/**
 * Stands for a place while the text around it is compressed. No two bytes of it come together twice, in this place or another one: so the compressor
 * copies nothing into it, and what it refers to by 'the same distance as before' stays the same.
 */
function encodeFiller(place: number): Buffer {
  return Buffer.from(
    Array.from({ length: placeLength }, (_, step) => controls[(step * (place + 1)) % controls.length] ?? 0),
  );
}

/** How many bytes before a byte say how it is coded (RFC 7932, section 7.1): what follows a place goes with it, so that they are known. */
const context = 2;

/** Compresses the pieces of a text, every other one a mark, as one stream in which each place is a meta-block that is not compressed (RFC 7932, section 9.2). */
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

/** A meta-block that holds bytes as they are: not the last one, its length in four nibbles, and the bit that says so. */
function uncompressed(bytes: Buffer): Buffer[] {
  const header = Buffer.alloc(3);
  header.writeUIntLE(((bytes.length - 1) << 3) | (1 << 19), 0, 3);
  return [header, bytes];
}

/** Whether a stream says what it should: nothing is sent that was not read once. */
async function isSound(compressed: Compressed, pieces: readonly string[]): Promise<boolean> {
  const [one, other] = [makeMarks(['a']).a, makeMarks(['a']).a];
  for (const value of [one, other]) {
    const text = pieces.map((piece, index) => (index % 2 === 0 ? piece : value)).join('');
    const read = await promisify(brotliDecompress)(compressed.fill(() => value)).catch(() => null);
    if (read?.toString() !== text) return false;
  }
  return true;
}
