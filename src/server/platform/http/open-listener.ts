import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { convertListenError } from '../base/errors.ts';
import { findUrlLimitStatus } from './url-limits.ts';
import { acceptPipelinedRequest, listenerTimeouts } from './connection-limits.ts';

export interface HttpListener {
  readonly port: number;
  /** Closes the listener and its connections, without waiting for their requests. */
  close(): Promise<void>;
}

/**
 * Opens a listener with the timeouts and URL limits that every listener has. Port 0 is any free port. Throws a `StartError` that names the setting.
 */
export async function openListener(
  handle: RequestListener,
  endpoint: { readonly host: string; readonly port: number; readonly setting: string },
  tls: TlsOptions | null = null,
): Promise<HttpListener> {
  const answer: RequestListener = (request, response) => {
    if (!acceptPipelinedRequest(request, response)) return;
    const status = findUrlLimitStatus(request.url ?? '/');
    if (status === null) handle(request, response);
    else response.writeHead(status).end();
  };
  const server =
    tls === null ? createServer(listenerTimeouts, answer) : createTlsServer({ ...listenerTimeouts, ...tls }, answer);
  await new Promise<void>((resolve, reject) =>
    server
      .once('error', (cause) => reject(convertListenError(cause, endpoint) as Error))
      .listen(endpoint.port, endpoint.host, resolve),
  );
  return {
    port: (server.address() as AddressInfo).port, // the cast is safe: the address of a TCP listener is an object
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
