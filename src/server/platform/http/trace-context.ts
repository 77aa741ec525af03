import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** The trace that a request belongs to, and this server's span in it (W3C Trace Context). */
export interface TraceContext {
  /** 16 bytes in hexadecimal. */
  readonly traceId: string;
  /** 8 bytes in hexadecimal. */
  readonly spanId: string;
  /** Trace flags in hexadecimal: whether the caller records the trace. */
  readonly flags: string;
}

const current = new AsyncLocalStorage<TraceContext>();

/** Version 00, of 55 characters, and later versions, which may put more behind it; ids of zeros are invalid. */
const traceparent =
  /^(?:00(?=.{53}$)|(?!00|ff)[0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(?:-.*)?$/;

/** A new span in the trace that a `traceparent` header names; null where it names none. */
export function spanIn(header: unknown): TraceContext | null {
  const [, traceId, flags] = typeof header === 'string' ? (traceparent.exec(header) ?? []) : [];
  if (traceId === undefined || flags === undefined) return null;
  return { traceId, spanId: randomBytes(8).toString('hex'), flags };
}

/** Runs work, and all that it awaits, in a trace. */
export function inTrace<Result>(context: TraceContext, work: () => Result): Result {
  return current.run(context, work);
}

/** What a log line says of the trace that it is written in, by the field names of OpenTelemetry. */
export function traceFields(): Readonly<Record<string, string>> {
  const context = current.getStore();
  return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
}

/** What an outward request says of the trace that it is made in. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const context = current.getStore();
  return context === undefined ? {} : { traceparent: `00-${context.traceId}-${context.spanId}-${context.flags}` };
}
