import { createServer } from 'node:net';

/** Replaces PORT=0 by a free port, because mailed links and the printed URL need the number before the server listens. */
export async function resolveFreePort(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<string, string | undefined>>> {
  if (env['PORT']?.trim() !== '0') return env;
  const port = await findFreePort(env['HOST'] || undefined);
  return port === null ? env : { ...env, PORT: String(port) };
}

/** Returns `null` if the server cannot listen on the host, which the start reports later. */
async function findFreePort(host = '127.0.0.1'): Promise<number | null> {
  const server = createServer();
  return await new Promise((found) => {
    server.once('error', () => found(null));
    server.listen(0, host, () => {
      const address = server.address();
      server.close(() => found(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}
