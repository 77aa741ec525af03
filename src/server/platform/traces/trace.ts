import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** A span of a trace, as others are told of it (W3C Trace Context). */
export interface TraceContext {
  /** 16 bytes in hexadecimal. */
  readonly traceId: string;
  /** 8 bytes in hexadecimal. */
  readonly spanId: string;
  /** Trace flags in hexadecimal: whether the trace is recorded. */
  readonly flags: string;
}

/** What is known of a span when it begins. Names and attributes are those of OpenTelemetry's semantic conventions; none holds what a citizen typed. */
export interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'client';
  readonly attributes?: Readonly<Record<string, string | number>>;
}

export interface Span {
  readonly context: TraceContext;
  end(outcome: Partial<SpanStart> & { readonly failed: boolean }): void;
}

export interface Tracer {
  /** Begins a span in the trace of its parent; without one, in a trace of its own. */
  begin(start: SpanStart & { readonly parent: TraceContext | null }): Span;
}

interface Current {
  readonly context: TraceContext;
  /** Null: spans are passed on and not recorded. */
  readonly tracer: Tracer | null;
}

const current = new AsyncLocalStorage<Current>();

/** Version 00, of 55 characters, and later versions, which may put more behind it; ids of zeros are invalid. */
const traceparent =
  /^(?:00(?=.{53}$)|(?!00|ff)[0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** The span that a `traceparent` header names; null where it names none. */
export function parentIn(header: unknown): TraceContext | null {
  const [, traceId, spanId, flags] = typeof header === 'string' ? (traceparent.exec(header) ?? []) : [];
  return traceId === undefined || spanId === undefined || flags === undefined ? null : { traceId, spanId, flags };
}

/** A span of its own beneath another, which nobody records. */
export function spanBeneath({ traceId, flags }: TraceContext): TraceContext {
  return { traceId, spanId: randomBytes(8).toString('hex'), flags };
}

/** Runs work, and all that it awaits, in a span. */
export function inSpan<Result>(context: TraceContext, tracer: Tracer | null, work: () => Result): Result {
  return current.run({ context, tracer }, work);
}

/** Does work in a span of its own where the one around it is recorded. */
export function traced<Result>(start: () => SpanStart, work: () => Promise<Result>): Promise<Result> {
  const { context, tracer = null } = current.getStore() ?? {};
  return context === undefined || tracer === null ? work() : record(tracer, { ...start(), parent: context }, work);
}

async function record<Result>(
  tracer: Tracer,
  start: Parameters<Tracer['begin']>[0],
  work: () => Promise<Result>,
): Promise<Result> {
  const span = tracer.begin(start);
  try {
    const result = await inSpan(span.context, tracer, work);
    span.end({ failed: false });
    return result;
  } catch (error) {
    span.end({ failed: true });
    throw error;
  }
}

/** What a log line says of the span that it is written in, by the field names of OpenTelemetry. */
export function traceFields(): Readonly<Record<string, string>> {
  const { context } = current.getStore() ?? {};
  return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
}

/** What an outward request says of the span that it is made in. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const { context } = current.getStore() ?? {};
  return context === undefined ? {} : { traceparent: `00-${context.traceId}-${context.spanId}-${context.flags}` };
}
