import { openListener, type Listener } from '../http/open-listener.ts';
import type { RequestListener } from 'node:http';
import type { KeptMetrics, ServerState } from './open-metrics.ts';

/** Answers `GET /metrics` on a port of its own, which no citizen reaches. Throws a StartError where the port is taken. */
export async function listenForMetrics(
  { host, metricsPort: port }: { readonly host: string; readonly metricsPort: number | null },
  metrics: Pick<KeptMetrics, 'contentType' | 'text'>,
  server: { observe(): Promise<ServerState> },
): Promise<Listener> {
  const handle: RequestListener = (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const text = server.observe().then((state) => metrics.text(state));
    text.then(
      (body) => response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(body),
      () => response.writeHead(500).end(),
    );
  };
  return openListener(handle, { host, port: port ?? 0, setting: 'METRICS_PORT' });
}
