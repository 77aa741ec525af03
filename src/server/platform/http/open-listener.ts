import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { toPortError, StartError } from '../base/errors.ts';
import { checkUrlLimits } from './url-limits.ts';
import { admitRequest, listenerTimeouts } from './connection-limits.ts';

export interface Listener {
  readonly port: number;
  /** Closes the listener and its connections, without waiting for their requests. */
  close(): Promise<void>;
}

/**
 * Cipher suites with forward secrecy and authenticated encryption. The list includes suites of TLS 1.3, because Node.js would otherwise disable
 * that version.
 */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
].join(':');

/**
 * Returns the TLS options of every listener, with certificate and key from a PEM file. Throws a `StartError` that names the setting if the file
 * cannot be read.
 */
export async function readTls(file: string, setting: string): Promise<SecureContextOptions> {
  try {
    const pem = await readFile(file);
    return { cert: pem, key: pem, minVersion: 'TLSv1.2', ciphers };
  } catch (cause) {
    throw new StartError(`The file of ${setting} (${file}) cannot be read.`, { cause });
  }
}

/**
 * Listens on a host and port with the common limits. Port 0 is any free port. Throws a `StartError` that names the
 * setting if that fails.
 */
export async function openListener(
  handle: RequestListener,
  endpoint: { readonly host: string; readonly port: number; readonly setting: string },
  tls: SecureContextOptions | null = null,
): Promise<Listener> {
  const answer: RequestListener = (request, response) => {
    if (!admitRequest(request, response)) return;
    const status = checkUrlLimits(request.url ?? '/');
    if (status === null) handle(request, response);
    else response.writeHead(status).end();
  };
  const server =
    tls === null ? createServer(listenerTimeouts, answer) : createTlsServer({ ...listenerTimeouts, ...tls }, answer);
  await new Promise<void>((resolve, reject) =>
    server
      .once('error', (cause) => reject(toPortError(cause, endpoint) as Error))
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
