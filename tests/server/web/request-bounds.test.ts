import { once } from 'node:events';
import { request, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { apiContract, operationNames, type ApiOperation } from '../../../src/contract/contract.ts';
import { listenerTimeouts } from '../../../src/server/platform/http/connection-limits.ts';
import { openMetricsListener } from '../../../src/server/platform/metrics/open-prometheus-metrics.ts';
import { startOutboxPage } from '../../../src/server/platform/mail/outbox-page.ts';
import { oidcPaths } from '../../../src/server/trust/federation/oidc/oidc-paths.ts';
import { samlPaths } from '../../../src/server/trust/federation/saml/saml-constants.ts';
import { startFakeServer } from '../support/fake-server.ts';

/** Timeout for asynchronous events, ample for a busy machine. */
const soon = { timeout: 10_000 };

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const tooMuch = [
  ['15,000 slashes', `/${'/'.repeat(15_000)}`, 414],
  ['2,000 slashes', `/${'/'.repeat(2_000)}`, 400],
  ['1,000 segments', '/a'.repeat(1_000), 400],
  ['a long segment', `/${'a'.repeat(3_000)}`, 414],
  ['2,600 marks', `/${'%CC%81'.repeat(2_600)}`, 414],
  ['a long query', `/?a=${'a'.repeat(13_000)}`, 414],
  ['a parameter 2,000 times', `/?${'a=1&'.repeat(2_000)}`, 400],
  ['100 parameters', `/?${Array.from({ length: 100 }, (_, index) => `a${index}=1`).join('&')}`, 400],
] as const;

describe('[SEC-03] address limits', async () => {
  const { http, called } = await startFakeServer({ env: { AGENTS_HOST: 'http://127.0.0.1:3000' } });
  const json = { accept: 'application/json' };

  test.each(tooMuch)('return an HTML error page to a browser for %s', async (_name, url, status) => {
    for (const host of ['localhost:3000', '127.0.0.1:3000'])
      for (const method of ['GET', 'POST'] as const) {
        const response = await http.inject({ method, url, headers: { host, accept: 'text/html' } });
        expect([response.statusCode, response.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
        expect(response.body).toContain('Volver al inicio');
        expect(response.headers['content-security-policy']).toBeDefined();
      }
  });

  test.each(tooMuch)('return a JSON error at an operation for %s', async (_name, hard, status) => {
    const response = await http.inject({ url: `/rest/paises${hard}`, headers: json });
    expect(response.statusCode).toBe(status);
    const code = status === 414 ? 'direccion_demasiado_larga' : 'direccion_mal_formada';
    expect(response.json()).toMatchObject({ code, error: expect.stringMatching(/^La dirección .+\.$/) });
    expect(called).toEqual([]);
  });

  test.each([
    oidcPaths.authorize,
    oidcPaths.userinfo,
    samlPaths.ssoByRedirect,
    '/definitions/manifest.json',
    '/healthz',
  ])('apply at %s, also to addresses in absolute form', async (path) => {
    for (const origin of ['', 'http://localhost:3000'])
      for (const [, hard, status] of tooMuch) {
        expect((await http.inject({ url: `${origin}${path}${hard}` })).statusCode).toBe(status);
      }
  });

  test('permit the addresses that the protocols send', async () => {
    const parameters = Array.from({ length: 63 }, (_, index) => `a${index}=1`).join('&');
    for (const path of [oidcPaths.authorize, samlPaths.ssoByRedirect, samlPaths.sloByRedirect, '/login'])
      for (const query of [
        `request=${'a'.repeat(10_000)}`,
        `${parameters}&resource=1`,
        'a=http%3A%2F%2Fb%2Fc%2Fd%3Fe%3Df',
      ])
        expect((await http.inject({ url: `${path}?${query}` })).statusCode).not.toBe(414);
    const slugs = `/ayuda/${'%C3%B1'.repeat(100)}`;
    expect((await http.inject({ url: slugs })).statusCode).toBe(200);
    expect((await http.inject({ url: '/rest/paises/?a=/////////////////////////////////////' })).statusCode).toBe(200);
  });
});

describe('address limits of other listeners', () => {
  const metrics = { contentType: 'text/plain', text: async () => 'metrics' };
  const observed = { observe: async () => ({}) as never };

  test.each([
    [
      'metrics',
      () =>
        openMetricsListener(
          { host: '127.0.0.1', metricsPort: null, metricsToken: null, metricsRoots: null, tlsFile: null },
          metrics,
          observed,
        ),
    ],
    [
      'outbox',
      async () => {
        const { url, close } = await startOutboxPage({ db: null } as never, 0);
        return { port: Number(new URL(url).port), close };
      },
    ],
  ] as const)('apply to the %s listener', async (_name, open) => {
    const listener = await open();
    closers.push(listener.close);
    for (const [, path, status] of tooMuch) {
      const asked = request({ port: listener.port, host: '127.0.0.1', path }).end();
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      expect(response.resume().statusCode).toBe(status);
    }
  });
});

/** Opens a raw connection that records the received bytes. */
async function rawConnection(port: number) {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined); // ignores an error, because the server may reset the connection
  await once(socket, 'connect');
  closers.push(async () => socket.destroy());
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  return { socket, answer: () => answer };
}

async function portOf(http: {
  readonly server: Server;
  listen(place: object): Promise<unknown>;
  close(): Promise<unknown>;
}) {
  await http.listen({ port: 0, host: '127.0.0.1' });
  closers.push(() => http.close());
  return (http.server.address() as AddressInfo).port; // `address()` returns an `AddressInfo` for a server that listens on a port
}

describe('pipelined requests', () => {
  const one = `GET ${apiContract.getCountries.path} HTTP/1.1\r\nhost: localhost:3000\r\n\r\n`;

  test('run at most eight handlers after the client has disconnected', async () => {
    const { http, called } = await startFakeServer();
    const { socket } = await rawConnection(await portOf(http));
    socket.write(one.repeat(200), () => socket.destroy());
    await vi.waitFor(async () => {
      expect(await new Promise((resolve) => http.server.getConnections((_error, count) => resolve(count)))).toBe(0);
    }, soon);
    expect(called.length).toBeLessThanOrEqual(8);
  });

  test('all get a response if they come in small groups', async () => {
    const { http, called } = await startFakeServer();
    const { socket, answer } = await rawConnection(await portOf(http));
    for (let round = 1; round <= 10; round += 1) {
      socket.write(one.repeat(4));
      await vi.waitFor(() => expect(answer().match(/HTTP\/1\.1 200/g)).toHaveLength(4 * round), soon);
    }
    expect(called).toHaveLength(40);
  });
});

describe('request that arrives slowly', () => {
  /** Shortens a server's timeouts. */
  function hurry(server: Server): void {
    Object.assign(server, { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 });
  }

  test.each([
    [
      'body',
      `POST /auth/logout HTTP/1.1\r\nhost: localhost:3000\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n`,
    ],
    ['head', 'GET / HTTP/1.1\r\nx: '],
  ])('is ended with 408 while it sends its %s', async (_part, start) => {
    const { http } = await startFakeServer();
    hurry(http.server);
    const { socket, answer } = await rawConnection(await portOf(http));
    socket.write(start);
    const drops = setInterval(() => socket.write('a'), 20);
    await once(socket, 'close');
    clearInterval(drops);
    expect(answer()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('has the timeouts of every listener, which suffice for the largest body at 110 kbit/s', async () => {
    const { http } = await startFakeServer();
    expect(http.server).toMatchObject(listenerTimeouts);
    expect(
      listenerTimeouts.headersTimeout,
      'Node.js swaps the two timeouts if the first is longer',
    ).toBeLessThanOrEqual(listenerTimeouts.requestTimeout);
    const kilobytes = operationNames.map((name) => (apiContract[name] as ApiOperation).limitKb ?? 64);
    const bitsEachSecond = (Math.max(...kilobytes) * 1024 * 8) / (listenerTimeouts.requestTimeout / 1000);
    expect(bitsEachSecond).toBeLessThan(110_000);
  });
});
