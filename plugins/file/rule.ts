import { defineRule } from '../../src/engine/core/plugin.ts';
import { sizeText } from './size.ts';

interface Parameters {
  readonly maxKb: number;
}

/** A file that was chosen, as the widget stores it: `data:application/octet-stream;name=…;base64,…`. */
export const rules = [
  defineRule<Parameters>({
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
      const [, content] = split(value);
      if (content === '') return { reason: 'empty' };
      return sizeOf(content) > maxKb * 1024 ? { reason: 'tooLarge', values: { limit: sizeText(maxKb) } } : null;
    },
  }),
];

/** The format of a file of any size. */
export const formats = { file: isFile };

function isFile(value: string): boolean {
  const [head, content] = split(value);
  return (
    /^data:[\w./+-]+;name=[\w.-]{1,100};base64$/.test(head) &&
    /^[A-Za-z0-9+/]*={0,2}$/.test(content) &&
    content.length % 4 === 0
  );
}

function split(value: string): readonly [head: string, content: string] {
  const comma = value.indexOf(',');
  return comma < 0 ? [value, ''] : [value.slice(0, comma), value.slice(comma + 1)];
}

/** Bytes behind a base64 text. */
function sizeOf(content: string): number {
  return (content.length / 4) * 3 - (content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0);
}
