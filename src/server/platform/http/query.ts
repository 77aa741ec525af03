import type { FastifyRequest } from 'fastify';
import { isObject } from '../../../engine/core/json.ts';

/** Query parameters of a request. The first value of a repeated parameter counts. */
export function readQuery(request: FastifyRequest): Readonly<Record<string, string | undefined>> {
  const given = isObject(request.query) ? request.query : {};
  const entries = Object.entries(given).map(
    ([name, value]) => [name, Array.isArray(value) ? value[0] : value] as const,
  );
  return Object.fromEntries(
    entries.filter((entry): entry is readonly [string, string] => typeof entry[1] === 'string'),
  );
}
