import type { FastifyInstance } from 'fastify';
import { OperationError } from '../base/errors.ts';
import { oversize } from './json-size.ts';

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
