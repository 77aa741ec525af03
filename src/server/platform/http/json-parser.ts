import type { FastifyInstance } from 'fastify';
import { OperationError } from '../base/errors.ts';

/**
 * Adds the parser of bodies. It accepts only JSON, because forms of other sites cannot send JSON, and rejects deep nesting and too many values before
 * parsing.
 */
export function addJsonParser(http: FastifyInstance): void {
  const parse = http.getDefaultJsonParser('error', 'error'); // throws for the keys `__proto__` and `constructor.prototype`
  http.removeAllContentTypeParsers();
  http.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    const fault = findJsonExcess(text);
    if (fault === 'depth') done(new OperationError(400, 'cuerpo_demasiado_profundo'));
    else if (fault === 'parts') done(new OperationError(413, 'cuerpo_demasiado_grande'));
    else parse(request, text, done);
  });
}

/** Maximum depth of a body. The deepest form has four levels. */
const maxDepth = 16;
/** Maximum number of values and names in a body. The largest form with a list of a hundred items has half as many. */
const maxBodyValues = 10_000;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [brace, bracket, braceEnd, bracketEnd] = [0x7b, 0x5b, 0x7d, 0x5d];

/**
 * Returns the limit that a JSON text exceeds. Scans without parsing, because deeply nested or finely split JSON takes a hundred times its size in
 * memory. The text may be invalid JSON.
 */
export function findJsonExcess(text: string): 'depth' | 'parts' | null {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = findStringEnd(text, at);
    else if (sign === comma || sign === colon) parts += 1;
    else if (sign === brace || sign === bracket) {
      depth += 1;
      parts += 1;
    } else if (sign === braceEnd || sign === bracketEnd) depth -= 1;
    if (depth > maxDepth) return 'depth';
    if (parts > maxBodyValues) return 'parts';
  }
  return null;
}

function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const sign = text.charCodeAt(at);
    if (sign === quote) return at;
    at += sign === backslash ? 2 : 1;
  }
  return at;
}
