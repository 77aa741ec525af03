import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hasMoreOccurrences, maxRequestParameters } from './url-limits.ts';
import { OperationError } from '../base/errors.ts';
import { findUnprintableText } from './printable-text.ts';
import { asObject } from '../../../engine/core/json.ts';

/** Parses URL-encoded forms. `bodyLimit` is in bytes. */
export function addFormParser(scope: FastifyInstance, bodyLimit?: number): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', ...(bodyLimit !== undefined && { bodyLimit }) },
    (_request, body, done) => {
      const text = String(body);
      if (hasMoreOccurrences(text, '&', maxRequestParameters - 1))
        return done(new OperationError(400, 'cuerpo_mal_formado'), undefined);
      const values = Object.fromEntries(new URLSearchParams(text));
      done(findUnprintableText(values) === null ? null : new OperationError(400, 'cuerpo_mal_formado'), values);
    },
  );
}

/** Reads the query parameters of a request. Uses the first value of a repeated parameter. */
export function readQueryParameters(request: FastifyRequest): Readonly<Record<string, string | undefined>> {
  const entries = Object.entries(asObject(request.query)).map(([name, value]) => [name, [value].flat()[0]] as const);
  return Object.fromEntries(
    entries.filter((entry): entry is readonly [string, string] => typeof entry[1] === 'string'),
  );
}
