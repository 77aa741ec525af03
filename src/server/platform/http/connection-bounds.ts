import type { IncomingMessage, ServerResponse, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Times of every listener, in milliseconds; a request that takes longer to arrive is answered 408. */
export const listenerTimes = {
  /** A head of 16 kB, the most that Node.js reads, takes seven seconds at 20 kbit/s, about the slowest that GPRS gives. */
  headersTimeout: 20_000,
  /** The largest body, a signed file of 2 MB as 3 MB of base64, takes four minutes at 100 kbit/s, the pace of EDGE. Must not be below `headersTimeout`: Node.js would exchange the two. */
  requestTimeout: 240_000,
  /** How late one of these is noticed. */
  connectionsCheckingInterval: 5_000,
} as const;

/**
 * Most requests of one connection that wait for their answers. Browsers and proxies send the next one after the answer; a client that pipelines must be ready to
 * send unanswered ones again (RFC 9112, section 9.3.2).
 */
const mostPipelined = 8;

const unanswered = new WeakMap<Socket, number>();

/** Whether a request is to be handled. False if its client has gone, or pipelines too many: then its connection is closed. */
export function isAdmitted({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const count = (unanswered.get(socket) ?? 0) + 1;
  if (count > mostPipelined) socket.destroy();
  if (socket.destroyed) return false;
  unanswered.set(socket, count);
  response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
  return true;
}

/** Drops requests that are not admitted, and those whose client goes before their handler. Comes before every other hook: some wait for the end of a response, which these have none of. */
export function dropUnanswerable(http: FastifyInstance): void {
  http.addHook('onRequest', async (request, reply) =>
    isAdmitted(request.raw, reply.raw) ? undefined : reply.hijack(),
  );
  http.addHook('preHandler', async (request, reply) => (request.raw.socket.destroyed ? reply.hijack() : undefined));
}

/** How often a server that stops looks for connections that nobody uses any more. */
const sweepMs = 50;

/**
 * Answers the way to close, while the server stops, each connection as it becomes quiet. Browsers keep connections for more than a minute after an
 * answer, and open some in advance that Node counts as busy until their first request, or until its time is over.
 */
export function quietConnections(server: Server): () => void {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    if (!server.listening) return;
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    }, sweepMs);
    server.once('close', () => clearInterval(sweep));
  };
}
