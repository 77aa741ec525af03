import type { FastifyInstance } from 'fastify';
import { hasMore } from '../base/has-more.ts';
import { OperationError } from '../base/errors.ts';
import { unplainField } from './plain-text.ts';

/** Most fields of a form: no form of the protocols has half as many. */
const mostFields = 64;

/** Lets the routes of a scope read forms of plain texts, up to so many bytes. */
export function readForms(scope: FastifyInstance, bodyLimit?: number): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', ...(bodyLimit !== undefined && { bodyLimit }) },
    (_request, body, done) => {
      const text = String(body);
      if (hasMore(text, '&', mostFields)) return done(new OperationError(400, 'cuerpo_mal_formado'), undefined);
      const values = Object.fromEntries(new URLSearchParams(text));
      done(unplainField(values) === null ? null : new OperationError(400, 'cuerpo_mal_formado'), values);
    },
  );
}
