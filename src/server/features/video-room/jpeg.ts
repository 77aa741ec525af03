/** A picture that was looked through. */
export interface Jpeg {
  readonly width: number;
  readonly height: number;
  /** The picture without what is no part of it: no place, no device, nothing behind its end. */
  readonly bytes: Buffer;
}

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;
/** What a decoder needs: frames of one pass or several, tables of both kinds, restart intervals, JFIF's own header. */
const kept: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xdb, 0xdd, 0xe0]);
/** The segments that say how large it is. */
const frames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);

/** Reads a JPEG by its segments, and keeps those alone that draw it; null: it is none, or not a whole one. */
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

/** Where the data of a scan end: at the next marker that neither restarts the scan nor stands for a plain 0xff. */
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
