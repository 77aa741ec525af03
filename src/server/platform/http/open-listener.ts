import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { portError } from '../base/start-error.ts';
import { refusedAddress } from './address-bounds.ts';
import { isAdmitted, listenerTimes } from './connection-bounds.ts';

export interface Listener {
  readonly port: number;
  /** Ends its connections, too: none of them is waited for. */
  close(): Promise<void>;
}

/** Handles requests on a port of a host, 0: any free one, within the bounds of every listener. Throws a StartError that names the setting where the port cannot be had. */
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
    port: (server.address() as AddressInfo).port, // a listener of a port has an address
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
