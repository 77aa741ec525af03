export interface Jpeg {
  readonly width: number;
  readonly height: number;
  /** The image without metadata, such as location and device, and without data after its end. */
  readonly bytes: Buffer;
}

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
/** Markers that a decoder needs: frames (SOF0 to SOF2), Huffman and quantization tables, restart intervals and the JFIF header. */
const kept: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xdb, 0xdd, 0xe0]);
const frames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);

/** Parses a JPEG and keeps only the segments that a decoder needs. Returns `null` if it is malformed or truncated. */
export function readJpeg(bytes: Buffer): Jpeg | null {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return null;
  const parts = [bytes.subarray(0, 2)];
  let size: { width: number; height: number } | null = null;
  let at = 2;
  while (at + 4 <= bytes.length || bytes[at + 1] === endOfImage) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return null;
    if (marker === endOfImage) {
      parts.push(bytes.subarray(at, at + 2));
      return size === null || parts.length < 4 ? null : { ...size, bytes: Buffer.concat(parts) };
    }
    const length = bytes.readUInt16BE(at + 2);
    const end = marker === startOfScan ? endOfScan(bytes, at + 2 + length) : at + 2 + length;
    if (length < 2 || end > bytes.length) return null;
    if (frames.has(marker) && length >= 7)
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    if (kept.has(marker) || marker === startOfScan) parts.push(bytes.subarray(at, end));
    at = end;
  }
  return null;
}

/** Returns where the data of a scan ends: at the next marker, ignoring restart markers and escaped 0xff bytes. */
function endOfScan(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) return bytes.length + 1;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
    at += 2;
  }
}
