import type { IncomingMessage, ServerResponse, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Timeouts of every listener, in milliseconds. A request that takes longer to arrive gets a 408. */
export const listenerTimeouts = {
  /** Time limit for receiving the headers. Node.js reads at most 16 kB of headers, which take seven seconds at 20 kbit/s, about the slowest GPRS. */
  headersTimeout: 20_000,
  /**
   * Time limit for receiving the request. The largest body, a signed file of 2 MB as 3 MB of base64, takes four minutes at 100 kbit/s, the speed of
   * EDGE. The value must not be less than `headersTimeout`, or Node.js swaps the two.
   */
  requestTimeout: 240_000,
  connectionsCheckingInterval: 5_000,
} as const;

/** Maximum number of unanswered requests on one connection. A client that pipelines must be prepared to repeat them (RFC 9112, section 9.3.2). */
const maxPipelined = 8;

const pendingRequests = new WeakMap<Socket, number>();

/** Counts a pending request, and closes the connection if the client pipelines too many. Returns `false` if the connection is closed. */
export function acceptPipelinedRequest({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const count = (pendingRequests.get(socket) ?? 0) + 1;
  if (count > maxPipelined) socket.destroy();
  if (socket.destroyed) return false;
  pendingRequests.set(socket, count);
  response.once('close', () => pendingRequests.set(socket, (pendingRequests.get(socket) ?? 1) - 1));
  return true;
}

/**
 * Drops requests beyond the limit, and those whose client disconnects before the handler runs. Register this hook before every other hook, because some
 * wait for the end of the response, and dropped requests get none.
 */
export function registerPipeliningLimit(http: FastifyInstance): void {
  http.addHook('onRequest', async (request, reply) =>
    acceptPipelinedRequest(request.raw, reply.raw) ? undefined : reply.hijack(),
  );
  http.addHook('preHandler', async (request, reply) => (request.raw.socket.destroyed ? reply.hijack() : undefined));
}

/**
 * Returns a function that closes each connection of a stopping server when it becomes idle, although browsers keep connections open for more than a
 * minute after a response. They also open connections in advance, which Node.js counts as busy until their first request or timeout.
 */
export function createConnectionDrainer(server: Server): () => void {
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
    }, 50);
    server.once('close', () => clearInterval(sweep));
  };
}
