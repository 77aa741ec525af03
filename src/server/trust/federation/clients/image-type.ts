/** Detects an image type by the first bytes, not by `Content-Type`. Returns `null` for any other type, including SVG, which can contain scripts. */
export function imageType(content: Buffer): string | null {
  const starts = (hex: string, at = 0): boolean => content.subarray(at, at + hex.length / 2).toString('hex') === hex;
  if (starts('89504e470d0a1a0a')) return 'image/png';
  if (starts('ffd8ff')) return 'image/jpeg';
  if (starts('52494646') && starts('57454250', 8)) return 'image/webp';
  return null;
}
