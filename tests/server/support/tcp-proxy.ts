import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A network between a server and its database, that can fail without a word. */
export interface TcpProxy {
  readonly url: string;
  /** From now on nothing is passed on, in either direction, and nobody is told; new connections are taken and left alone. */
  silence(): void;
  /** New connections are passed on again; those that fell silent stay so. */
  mend(): void;
  /** Connections that the near side still holds. */
  open(): number;
  close(): Promise<void>;
}

/** A proxy in front of the host and port of a URL. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const held = new Set<Socket>();
  let silent = false;
  const server = createServer((near) => {
    const far = silent ? null : connect(Number(port), hostname);
    held.add(near.once('close', () => held.delete(near)));
    for (const socket of [near, ...(far ? [far] : [])]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    if (far) {
      near.on('data', (chunk) => void (sockets.has(near) && far.write(chunk)));
      far.on('data', (chunk) => void (sockets.has(near) && near.write(chunk)));
      far.on('close', () => void (sockets.has(near) && near.destroy()));
    }
    near.on('close', () => far?.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(target);
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  return {
    url: url.href,
    silence() {
      silent = true;
      sockets.clear();
    },
    mend() {
      silent = false;
    },
    open: () => held.size,
    async close() {
      for (const socket of held) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
