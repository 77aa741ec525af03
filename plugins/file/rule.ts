import { defineRule } from '../../src/engine/core/plugin-rule.ts';

/** Validates an uploaded file, stored as `data:application/octet-stream;name=…;base64,…`, and its size. */
export const rules = [
  defineRule<{ readonly maxKb: number }>({
    keyword: 'file',
    level: 'field',
    types: ['string'],
    parameters: {
      type: 'object',
      required: ['maxKb'],
      properties: { maxKb: { type: 'integer', minimum: 1 } },
      additionalProperties: false,
    },
    check: ({ value, parameters: { maxKb } }) => {
      if (typeof value !== 'string') return null;
      if (!isFile(value)) return {};
      const [, content] = splitDataUrl(value);
      if (content === '') return { reason: 'empty' };
      return countBytes(content) > maxKb * 1024
        ? { reason: 'tooLarge', values: { limit: formatFileSize(maxKb) } }
        : null;
    },
  }),
];

export const formats = { file: (value: string) => isFile(value) && splitDataUrl(value)[1] !== '' };

function isFile(value: string): boolean {
  const [head, content] = splitDataUrl(value);
  const name = /^data:[\w./+-]+;name=((?:[\w.!~*'()-]|%[0-9A-F]{2}){1,1200});base64$/.exec(head)?.[1];
  return name !== undefined && isFileName(name) && /^[A-Za-z0-9+/]*={0,2}$/.test(content) && content.length % 4 === 0;
}

/** Whether a percent-encoded name has 1 to 100 characters of valid UTF-8, without control characters, slashes and backslashes. */
function isFileName(encoded: string): boolean {
  try {
    return /^[^\p{Cc}\p{Cs}/\\]{1,100}$/u.test(decodeURIComponent(encoded));
  } catch {
    return false;
  }
}

function splitDataUrl(value: string): readonly [head: string, content: string] {
  const comma = value.indexOf(',');
  return comma < 0 ? [value, ''] : [value.slice(0, comma), value.slice(comma + 1)];
}

/** Returns the decoded size of base64 content, in bytes. */
function countBytes(content: string): number {
  return (content.length / 4) * 3 - (content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0);
}

/** Formats a size as in Spanish and Portuguese: `512 KB`, `2 MB`, `1,5 MB`. */
export function formatFileSize(kb: number): string {
  return kb < 1024 ? `${kb} KB` : `${String(Math.round((kb / 1024) * 10) / 10).replace('.', ',')} MB`;
}
