import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Makes an answer without personal data cacheable. Sends a 304 without a body if the client's copy is current. */
export function shareAnswer(request: FastifyRequest, reply: FastifyReply, body: unknown): unknown {
  const tag = `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url')}"`;
  const vary = [reply.getHeader('vary'), 'accept-language'].filter((name) => name !== undefined).join(', ');
  reply.headers({ 'cache-control': 'public, no-cache', etag: tag, vary });
  if (!holds(request.headers['if-none-match'], tag)) return body;
  return reply.code(304).send();
}

function holds(header: string | undefined, tag: string): boolean {
  const held = (header ?? '').split(',').map((item) => item.trim().replace(/^W\//, ''));
  return held.includes(tag) || held.includes('*');
}
