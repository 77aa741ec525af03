import { formatNumber } from './numbers.ts';

/** Formats the size of a file with this number of base64 characters, e.g. `60 kB` or `1.5 MB`. */
export function formatFileSize(base64Length: number, language: string): string {
  const kilobytes = Math.max(1, Math.round((base64Length * 3) / 4 / 1000));
  return kilobytes < 1000
    ? `${formatNumber(kilobytes, language)} kB`
    : `${formatNumber(Math.floor(kilobytes / 100) / 10, language)} MB`;
}
