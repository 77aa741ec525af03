/** Formats a size as in Spanish and Portuguese: `512 KB`, `2 MB`, `1,5 MB`. */
export function sizeText(kb: number): string {
  return kb < 1024 ? `${kb} KB` : `${String(Math.round((kb / 1024) * 10) / 10).replace('.', ',')} MB`;
}
