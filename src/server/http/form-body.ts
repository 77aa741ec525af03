import type { FastifyInstance } from 'fastify';
import { CallError } from '../base/errors.ts';
import { unplainField } from './plain-text.ts';

/** Lets the routes of a scope read forms of plain texts, up to so many bytes. */
export function readForms(scope: FastifyInstance, bodyLimit?: number): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', ...(bodyLimit !== undefined && { bodyLimit }) },
    (_request, body, done) => {
      const values = Object.fromEntries(new URLSearchParams(String(body)));
      done(unplainField(values) === null ? null : new CallError(400, 'cuerpo_mal_formado'), values);
    },
  );
}
