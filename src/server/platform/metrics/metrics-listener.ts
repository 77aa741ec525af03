import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { portError } from '../base/start-error.ts';
import type { KeptMetrics, ServerState } from './open-metrics.ts';

/** The listener that Prometheus scrapes. */
export interface MetricsListener {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers `GET /metrics` on a port of its own, which no citizen reaches. Throws a StartError where the port is taken. */
export async function listenForMetrics(
  { host, metricsPort: port }: { readonly host: string; readonly metricsPort: number | null },
  metrics: Pick<KeptMetrics, 'contentType' | 'text'>,
  server: { observe(): Promise<ServerState> },
): Promise<MetricsListener> {
  const listener = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const text = server.observe().then((state) => metrics.text(state));
    text.then(
      (body) => response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) =>
    listener
      .once('error', (cause) => reject(portError(cause, { port, host, setting: 'METRICS_PORT' }) as Error))
      .listen(port ?? 0, host, resolve),
  );
  return {
    port: (listener.address() as AddressInfo).port, // a listener of a port has an address
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      }),
  };
}
