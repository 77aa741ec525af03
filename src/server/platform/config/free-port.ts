import { createServer } from 'node:net';

/**
 * Returns the environment with PORT=0 replaced by a free port, because mailed links and the printed URL need the number before the server listens. If
 * another process takes the port in the meantime, the start reports it.
 */
export async function resolveFreePort(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<string, string | undefined>>> {
  if (env['PORT']?.trim() !== '0') return env;
  const port = await findFreePort(env['HOST'] || undefined);
  return port === null ? env : { ...env, PORT: String(port) };
}

/** Finds a free port of a host. Returns `null` if the server cannot listen on the host, which the start reports later. */
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
