import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Proxy between a server and its database that simulates network failures. */
export interface TcpProxy {
  readonly url: string;
  /**
   * Stops forwarding in both directions without closing connections. New connections are accepted but get no response.
   */
  silence(): void;
  /** Closes all connections. Closes new connections as soon as they are accepted. */
  refuse(): void;
  /** Closes all connections, but forwards new ones. */
  cut(): void;
  /** Delays data by `ms` milliseconds in each direction. */
  slow(ms: number): void;
  /** Forwards new connections to another host and port. */
  redirectTo(target: string): void;
  /** Forwards new connections again, without a delay. Silenced connections remain silent. */
  restore(): void;
  open(): number;
  close(): Promise<void>;
}

/** Starts a proxy in front of the host and port of a URL. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  let { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const held = new Set<Socket>();
  let state: 'open' | 'silent' | 'refused' = 'open';
  let delayMs = 0;
  const later = (work: () => void): void => void (delayMs > 0 ? setTimeout(work, delayMs) : work());
  const server = createServer((near) => {
    near.on('error', () => undefined);
    if (state === 'refused') return void near.destroy();
    const far = state === 'silent' ? null : connect(Number(port), hostname);
    held.add(near.once('close', () => held.delete(near)));
    for (const socket of [near, ...(far ? [far] : [])]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    if (far) {
      near.on('data', (chunk) => later(() => void (sockets.has(near) && far.write(chunk))));
      far.on('data', (chunk) => later(() => void (sockets.has(near) && near.write(chunk))));
      far.on('close', () => later(() => void (sockets.has(near) && near.destroy())));
    }
    near.on('close', () => far?.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(target);
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  const cut = (): void => held.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    silence() {
      state = 'silent';
      sockets.clear();
    },
    refuse() {
      state = 'refused';
      cut();
    },
    cut,
    slow(ms) {
      delayMs = ms;
    },
    redirectTo(other) {
      ({ hostname, port } = new URL(other));
    },
    restore() {
      state = 'open';
      delayMs = 0;
    },
    open: () => held.size,
    async close() {
      cut();
      await new Promise((done) => server.close(done));
    },
  };
}
