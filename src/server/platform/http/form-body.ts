import type { FastifyInstance } from 'fastify';
import { hasMore } from './address-bounds.ts';
import { OperationError } from '../base/errors.ts';
import { mostParameters } from './address-bounds.ts';
import { unplainField } from './plain-text.ts';

/** Adds a parser for URL-encoded forms to the routes of a scope. `bodyLimit` is in bytes. */
export function readForms(scope: FastifyInstance, bodyLimit?: number): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', ...(bodyLimit !== undefined && { bodyLimit }) },
    (_request, body, done) => {
      const text = String(body);
      if (hasMore(text, '&', mostParameters - 1)) return done(new OperationError(400, 'cuerpo_mal_formado'), undefined);
      const values = Object.fromEntries(new URLSearchParams(text));
      done(unplainField(values) === null ? null : new OperationError(400, 'cuerpo_mal_formado'), values);
    },
  );
}
