import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** W3C Trace Context, which is propagated to other services. */
export interface TraceContext {
  /** 16 bytes in hexadecimal. */
  readonly traceId: string;
  /** 8 bytes in hexadecimal. */
  readonly spanId: string;
  /** Trace flags in hexadecimal. Bit 0 is `sampled`. */
  readonly flags: string;
}

/** Names and attributes follow OpenTelemetry's semantic conventions and never contain user input. */
export interface TraceSpanStart {
  readonly name: string;
  readonly kind: 'server' | 'client';
  readonly attributes?: Readonly<Record<string, string | number>>;
}

export interface Tracer {
  /** Begins a span. Without a parent, begins a new trace. */
  beginSpan(start: TraceSpanStart & { readonly parent: TraceContext | null }): {
    readonly context: TraceContext;
    end(outcome: Partial<TraceSpanStart> & { readonly failed: boolean }): void;
  };
}

/** `tracer` is `null` if the context is only propagated, and no spans are recorded. */
const currentSpan = new AsyncLocalStorage<{ readonly context: TraceContext; readonly tracer: Tracer | null }>();

/** Version 00 of exactly 55 characters, or a later version, which may be longer. Ids of only zeros are invalid. */
const traceparentPattern =
  /^(?:00(?=.{53}$)|(?!00|ff)[0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

export function parseTraceparent(header: unknown): TraceContext | null {
  const [, traceId, spanId, flags] = typeof header === 'string' ? (traceparentPattern.exec(header) ?? []) : [];
  return traceId === undefined || spanId === undefined || flags === undefined ? null : { traceId, spanId, flags };
}

/** Creates the trace context of a child span, which is not recorded. */
export function createChildTraceContext({ traceId, flags }: TraceContext): TraceContext {
  return { traceId, spanId: randomBytes(8).toString('hex'), flags };
}

/** Runs work, including its asynchronous continuations, with `context` as the current span. */
export function runInTraceSpan<Result>(context: TraceContext, tracer: Tracer | null, work: () => Result): Result {
  return currentSpan.run({ context, tracer }, work);
}

/** Runs work in a child span. Without a tracer or a current span, only runs the work. */
export async function runInChildSpan<Result>(start: TraceSpanStart, work: () => Promise<Result>): Promise<Result> {
  const { context, tracer } = currentSpan.getStore() ?? {};
  if (!context || !tracer) return work();
  const span = tracer.beginSpan({ ...start, parent: context });
  try {
    const result = await runInTraceSpan(span.context, tracer, work);
    span.end({ failed: false });
    return result;
  } catch (error) {
    span.end({ failed: true });
    throw error;
  }
}

/** Under OpenTelemetry's names. */
export function getTraceLogFields(): Readonly<Record<string, string>> {
  const { context } = currentSpan.getStore() ?? {};
  return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
}

export function buildTraceHeaders(): Readonly<Record<string, string>> {
  const { context } = currentSpan.getStore() ?? {};
  return context === undefined ? {} : { traceparent: `00-${context.traceId}-${context.spanId}-${context.flags}` };
}
