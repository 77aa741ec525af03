import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTracer } from '../../../src/server/platform/traces/open-tracer.ts';
import { parseTraceparent, type Tracer } from '../../../src/server/platform/traces/trace.ts';
import { createOutboundFetch } from '../../../src/server/platform/http/outbound-fetch.ts';
import { createHttpIdentityRegistry } from '../../../src/server/trust/identity/registry/identity-registry.ts';
import { startFakeServer } from '../support/fake-server.ts';
import { defaultDatabase } from '../support/databases.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

/** Properties of a request to the collector that the tests read. */
interface Exported {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[] }[];
}
interface ExportedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

const plain = { prefix: 'OTLP', roots: null, certificate: null };
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = `00-${traceId}-00f067aa0ba902b7-01`;

describe('[OPER-01] trace of a request', () => {
  let others: Server;
  let url = '';
  let database: TestStore;
  const heard: (string | undefined)[] = [];
  const sent: Exported[] = [];
  beforeAll(async () => {
    others = createServer((request, response) => {
      if (request.url === '/v1/traces') void json(request).then((body) => sent.push(body as Exported));
      else heard.push(request.headers.traceparent as string | undefined);
      response.end('{}');
    });
    await new Promise<void>((listening) => others.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(others.address() as AddressInfo).port}`;
    database = await openTestStore(defaultDatabase);
  });
  afterAll(async () => {
    others.close();
    await database.close();
  });

  async function ask(proxy: string, traceparent: string, tracer?: Tracer) {
    heard.length = 0;
    const { http, log } = await startFakeServer({
      env: { TRUST_PROXY: proxy },
      ...(tracer && { tracer }),
      handlers: {
        getCountries: async () => {
          await (await createHttpIdentityRegistry({ url: `${url}/personas`, token: null, tls: plain })).findHolder('1');
          await createOutboundFetch({ limitMs: 5_000, allowsPrivateTargets: true })(url);
          await database.store.db.selectFrom('citizens').select('id').where('number', '=', '45123784').execute();
          return { body: [] };
        },
      },
    });
    await http.inject({ url: '/rest/paises/?x=45123784', headers: { traceparent } });
    await http.close();
    const line = log()
      .split('\n')
      .find((text) => text.includes('"answered"'));
    return JSON.parse(line ?? '{}') as Record<string, unknown>;
  }

  test('continues the traceparent of a trusted proxy in the log and in outgoing requests', async () => {
    const line = await ask('loopback', parent);
    expect([line['trace_id'], line['span_id']]).toEqual([traceId, expect.stringMatching(/^[0-9a-f]{16}$/)]);
    expect(line['span_id']).not.toBe('00f067aa0ba902b7');
    const onward = `00-${traceId}-${String(line['span_id'])}-01`;
    expect(heard).toEqual([onward, onward]);
  });

  test.each([
    ['a client that is not a trusted proxy', 'off', parent],
    ['a malformed header', 'loopback', 'x'],
  ])('ignores the traceparent of %s', async (_, proxy, header) => {
    expect(await ask(proxy, header)).not.toHaveProperty('trace_id');
    expect(heard).toEqual([undefined, undefined]);
  });

  /** Returns the spans that the collector received for one request. */
  async function spansOf({ percent, proxy }: { percent: number; proxy: string }): Promise<readonly ExportedSpan[]> {
    sent.length = 0;
    const { close, ...tracer } = await openTracer({
      url: `${url}/v1/traces`,
      percent,
      tls: plain,
      log: pino({ level: 'silent' }),
    });
    const line = await ask(proxy, parent, tracer);
    await close();
    const spans = sent.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );
    expect(JSON.stringify(spans)).not.toContain('45123784');
    const [request] = spans.filter(({ kind }) => kind === 2);
    if (request) expect([line['trace_id'], line['span_id']]).toEqual([request.traceId, request.spanId]);
    return spans;
  }

  test('exports spans of the request, its queries and outgoing requests to the collector, without personal data', async () => {
    const spans = await spansOf({ percent: 0, proxy: 'loopback' });
    const request = spans.find(({ name }) => name === 'GET /rest/paises/');
    expect(request).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7' });
    const below = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(below.map(({ name }) => name).toSorted()).toEqual(['GET', 'POST', 'SELECT']);
    const asked = below.filter(({ name }) => name !== 'SELECT').map(({ spanId }) => `00-${traceId}-${spanId}-01`);
    expect(heard.toSorted()).toEqual(asked.toSorted());
  });

  test.each([
    [100, 4],
    [0, 0],
  ])(
    'samples %i percent of the requests without a trusted traceparent, and exports %i spans',
    async (percent, count) => {
      const spans = await spansOf({ percent, proxy: 'off' });
      expect(spans.filter((span) => span.traceId !== traceId)).toHaveLength(count);
    },
  );

  test('does not affect the response if the collector is unreachable, and the log has a warning', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (text: string) => void lines.push(text) });
    const { close, ...tracer } = await openTracer({
      url: 'http://127.0.0.1:9/v1/traces',
      percent: 100,
      tls: plain,
      log,
    });
    expect(await ask('off', parent, tracer)).toMatchObject({ status: 200 });
    await close().catch(() => undefined);
    expect(lines.join('')).toContain('a trace was not sent');
  });
});

test.each([
  [parent, true],
  [parent.replace('-01', '-00'), true],
  [`cc-${parent.slice(3)}-what-comes-later`, true],
  [`ff-${parent.slice(3)}`, false],
  [parent.toUpperCase(), false],
  [parent.replace(traceId, '0'.repeat(32)), false],
  [parent.replace('00f067aa0ba902b7', '0'.repeat(16)), false],
  [`${parent}1`, false],
  [`${parent}-what-comes-later`, false],
  [` ${parent}`, false],
  [undefined, false],
])('[OPER-01] parseTraceparent accepts the header %s: %s', (header, valid) => {
  expect(parseTraceparent(header) !== null).toBe(valid);
});
