import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { portError } from '../base/start-error.ts';
import { refusedAddress } from './address-bounds.ts';
import { isAdmitted, listenerTimes } from './connection-bounds.ts';

export interface Listener {
  readonly port: number;
  /** Closes open connections as well, without waiting for them. */
  close(): Promise<void>;
}

/** Listens on a host and port (0: any free one) within the common bounds. Throws a StartError that names the setting if that fails. */
export async function openListener(
  handle: RequestListener,
  place: { readonly host: string; readonly port: number; readonly setting: string },
): Promise<Listener> {
  const server = createServer(listenerTimes, (request, response) => {
    if (!isAdmitted(request, response)) return;
    const status = refusedAddress(request.url ?? '/');
    if (status === null) handle(request, response);
    else response.writeHead(status).end();
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', (cause) => reject(portError(cause, place) as Error)).listen(place.port, place.host, resolve),
  );
  return {
    port: (server.address() as AddressInfo).port, // the address of a TCP listener is an object
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
