import type { FastifyRequest } from 'fastify';
import { readUserAgent } from '../base/device.ts';
import type { Origin } from '../base/origin.ts';
import { clientAddress } from './client-address.ts';
import { acceptedLanguage } from './language.ts';

/** Where a request comes from; `citizenId`: who is signed in, null: nobody. */
export function requestOrigin(request: FastifyRequest, citizenId: string | null = null): Origin {
  return {
    by: { citizenId },
    address: clientAddress(request),
    userAgent: readUserAgent(request.headers['user-agent']),
    language: acceptedLanguage(request.headers['accept-language']),
    requestId: request.id,
  };
}
