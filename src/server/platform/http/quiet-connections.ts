import type { Server } from 'node:http';
import type { Socket } from 'node:net';

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
