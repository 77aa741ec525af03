import { createServer, connect, type AddressInfo, type Server } from 'node:net';

export function startOriginProxy(port: () => number): Promise<Server> {
  const server = createServer((socket) => {
    const inner = connect(port(), 'localhost');
    for (const [from, to] of [
      [socket, inner],
      [inner, socket],
    ] as const)
      from.on('error', () => to.destroy()).pipe(to);
  });
  return new Promise((resolve) => server.listen(0, 'localhost', () => resolve(server)));
}

export const getProxyOrigin = (door: Server): string => `http://localhost:${(door.address() as AddressInfo).port}`; // `address()` returns an `AddressInfo` for a server that listens on a port
