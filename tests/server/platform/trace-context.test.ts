import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spanIn } from '../../../src/server/platform/http/trace-context.ts';
import { outwardFetch } from '../../../src/server/trust/federation/clients/outward-fetch.ts';
import { httpRegistry } from '../../../src/server/trust/identity/registry/http-registry.ts';
import { fakeServer } from '../support/http-fakes.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = `00-${traceId}-00f067aa0ba902b7-01`;

describe('[OPER-01] the trace of a request', () => {
  let others: Server;
  let url = '';
  const heard: (string | undefined)[] = [];
  beforeAll(async () => {
    others = createServer((request, response) => {
      heard.push(request.headers.traceparent as string | undefined);
      response.end('{}');
    });
    await new Promise<void>((listening) => others.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(others.address() as AddressInfo).port}`;
  });
  afterAll(() => others.close());

  async function ask(proxy: string, traceparent: string) {
    heard.length = 0;
    const { http, log } = await fakeServer({
      env: { TRUST_PROXY: proxy },
      handlers: {
        getCountries: async () => {
          await httpRegistry(`${url}/personas`).find('1');
          await outwardFetch({ limitMs: 5_000, privateToo: true })(url);
          return { body: [] };
        },
      },
    });
    await http.inject({ url: '/rest/paises/', headers: { traceparent } });
    const line = log()
      .split('\n')
      .find((text) => text.includes('"answered"'));
    return JSON.parse(line ?? '{}') as Record<string, unknown>;
  }

  test('that a trusted proxy names goes on in the log, and to whoever is asked for it', async () => {
    const line = await ask('loopback', parent);
    expect([line['trace_id'], line['span_id']]).toEqual([traceId, expect.stringMatching(/^[0-9a-f]{16}$/)]);
    expect(line['span_id']).not.toBe('00f067aa0ba902b7');
    const onward = `00-${traceId}-${String(line['span_id'])}-01`;
    expect(heard).toEqual([onward, onward]);
  });

  test.each([
    ['of a stranger', 'off', parent],
    ['that is malformed', 'loopback', 'x'],
  ])('%s is none', async (_, proxy, header) => {
    expect(await ask(proxy, header)).not.toHaveProperty('trace_id');
    expect(heard).toEqual([undefined, undefined]);
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
])('[OPER-01] the header %s names a trace: %s', (header, valid) => {
  expect(spanIn(header) !== null).toBe(valid);
});
