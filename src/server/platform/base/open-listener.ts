import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { portError } from './start-error.ts';

/** A listener beside the portal's own. */
export interface Listener {
  readonly port: number;
  /** Ends its connections, too: none of them is waited for. */
  close(): Promise<void>;
}

/** Listens on a port of a host, 0: any free one. Throws a StartError that names the setting where the port cannot be had. */
export async function openListener(
  server: Server,
  place: { readonly host: string; readonly port: number; readonly setting: string },
): Promise<Listener> {
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
