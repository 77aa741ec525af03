import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { readClientTlsOptions } from '../config/tls-files.ts';
import type { Tracer } from './trace.ts';

/**
 * Sends spans in batches. Logs and drops spans that the collector does not accept, because no request waits for it. `percent` does not apply to requests
 * that continue a caller's trace. Imports the OpenTelemetry SDK only here, so that a server without OTLP_URL does not load it.
 */
export async function openTracer({
  url,
  percent,
  tls,
  log,
}: NonNullable<Config['traces']> & { readonly log: Pick<Logger, 'warn'> }): Promise<
  Tracer & { close(): Promise<void> }
> {
  const [api, { OTLPTraceExporter }, { resourceFromAttributes }, sdk] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
  ]);
  const warn = (message: string) => log.warn({ message }, 'a trace was not sent');
  const quiet = () => undefined;
  api.diag.setLogger({ error: warn, warn, info: quiet, debug: quiet, verbose: quiet }, api.DiagLogLevel.WARN);
  const exporter = new OTLPTraceExporter({
    url,
    timeoutMillis: 3_000, // also limits how long a stopping server waits for an unreachable collector
    httpAgentOptions: { keepAlive: true, ...(await readClientTlsOptions(tls)) },
  });
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'portal',
      'service.instance.id': `${hostname()}/${process.pid}`,
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(percent / 100) }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('portal');
  const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT };
  return {
    beginSpan({ name, kind, attributes = {}, parent }) {
      const above = parent && {
        traceId: parent.traceId,
        spanId: parent.spanId,
        traceFlags: Number.parseInt(parent.flags, 16),
        isRemote: kind === 'server',
      };
      const span = tracer.startSpan(
        name,
        { kind: kinds[kind], attributes },
        above ? api.trace.setSpanContext(api.ROOT_CONTEXT, above) : api.ROOT_CONTEXT,
      );
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        context: { traceId, spanId, flags: traceFlags.toString(16).padStart(2, '0') },
        end({ name: later, attributes: more = {}, failed }) {
          if (later !== undefined) span.updateName(later);
          span.setAttributes(more);
          if (failed) span.setStatus({ code: api.SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    close: () => provider.shutdown(),
  };
}
