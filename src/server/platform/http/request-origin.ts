import type { FastifyRequest } from 'fastify';
import { readUserAgent } from '../base/device.ts';
import type { Origin } from '../base/origin.ts';
import { clientAddress } from './client-address.ts';
import { acceptedLanguage } from './language.ts';

/** Origin of a request. `citizenId` is `null` if nobody is signed in. */
export function requestOrigin(request: FastifyRequest, citizenId: string | null = null): Origin {
  return {
    by: { citizenId },
    address: clientAddress(request),
    userAgent: readUserAgent(request.headers['user-agent']),
    language: acceptedLanguage(request.headers['accept-language']),
    requestId: request.id,
  };
}
