import type { FastifyInstance } from 'fastify';
import { OperationError } from '../base/errors.ts';

/** The only content type that the server reads is JSON: no form of another site can send it. Too deep or too many parts is refused unparsed. */
export function readJsonOnly(http: FastifyInstance): void {
  const parse = http.getDefaultJsonParser('error', 'error'); // refuses __proto__ and constructor.prototype keys
  http.removeAllContentTypeParsers();
  http.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    const fault = oversize(text);
    if (fault === 'depth') done(new OperationError(400, 'cuerpo_demasiado_profundo'));
    else if (fault === 'parts') done(new OperationError(413, 'cuerpo_demasiado_grande'));
    else parse(request, text, done);
  });
}

/** The deepest nesting of a body; the deepest form has four levels. */
const deepest = 16;
/** Most values and names of a body, together; the largest form of a list of a hundred has half of them. */
const mostParts = 10_000;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [brace, bracket, braceEnd, bracketEnd] = [0x7b, 0x5b, 0x7d, 0x5d];

/**
 * How a JSON text is too large to be parsed, by its signs alone: what is parsed costs a hundred times its bytes where it is nested or split into
 * many parts. Null where it is not. The text need not be JSON.
 */
export function oversize(text: string): 'depth' | 'parts' | null {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = endOfText(text, at);
    else if (sign === comma || sign === colon) parts += 1;
    else if (sign === brace || sign === bracket) {
      depth += 1;
      parts += 1;
    } else if (sign === braceEnd || sign === bracketEnd) depth -= 1;
    if (depth > deepest) return 'depth';
    if (parts > mostParts) return 'parts';
  }
  return null;
}

/** Where the text that begins at a quotation mark ends; behind a backslash a sign means itself. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const sign = text.charCodeAt(at);
    if (sign === quote) return at;
    at += sign === backslash ? 2 : 1;
  }
  return at;
}
