import { createServer } from 'node:net';

/**
 * The environment with a free port in place of PORT=0: links in mails and the printed address need the number before the server listens. The
 * port is free for a moment only; whoever takes it first is told by the start as any other port in use.
 */
export async function withFreePort(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<string, string | undefined>>> {
  if (env['PORT']?.trim() !== '0') return env;
  const port = await freePort(env['HOST'] || undefined);
  return port === null ? env : { ...env, PORT: String(port) };
}

/** Null where the host cannot be listened on: the start says so. */
async function freePort(host = '127.0.0.1'): Promise<number | null> {
  const server = createServer();
  return await new Promise((found) => {
    server.once('error', () => found(null));
    server.listen(0, host, () => {
      const address = server.address();
      server.close(() => found(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}
