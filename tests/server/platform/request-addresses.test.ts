import { fastify } from 'fastify';
import { describe, expect, test } from 'vitest';
import { createTrustProxy } from '../../../src/server/platform/http/client-address.ts';
import { watchAddresses } from '../../../src/server/platform/metrics/watch-addresses.ts';
import {
  toRateLimitKey,
  readAddress,
  readProxies,
  findSiteNetwork,
} from '../../../src/server/platform/base/addresses.ts';
import { startFakeServer } from '../support/fake-server.ts';
import { topic as support } from '../../../src/server/features/support/index.ts';
import { openTestServer } from '../support/test-server.ts';

/** Returns the client address that a handler receives. */
async function readClientAddress(
  trust: string,
  headers: Record<string, string>,
  remoteAddress = '127.0.0.1',
): Promise<string | undefined> {
  let address: string | undefined;
  const { http } = await startFakeServer({
    env: { TRUST_PROXY: trust },
    handlers: { getCountries: async (request) => ({ body: ((address = request.origin.address), []) }) },
  });
  await http.inject({ method: 'GET', url: '/rest/paises/', headers, remoteAddress });
  await http.close();
  return address;
}

const from = (list: string) => ({ 'x-forwarded-for': list });

describe('[LOG-03] where a request comes from', () => {
  test.each([
    { note: 'nobody is believed', trust: 'off', list: '203.0.113.9', expected: '127.0.0.1' },
    { note: 'the one proxy tells whom it saw', trust: 'loopback', list: '203.0.113.9', expected: '203.0.113.9' },
    {
      note: 'what the client wrote before it does not count',
      trust: 'loopback',
      list: '198.51.100.1, 203.0.113.9',
      expected: '203.0.113.9',
    },
    {
      note: 'two proxies',
      trust: 'loopback, 10.0.0.0/8',
      list: '198.51.100.1, 203.0.113.9, 10.1.2.3',
      expected: '203.0.113.9',
    },
    {
      note: 'two proxies by their number',
      trust: '2',
      list: '198.51.100.1, 203.0.113.9, 10.1.2.3',
      expected: '203.0.113.9',
    },
    { note: 'a proxy that is not ours', trust: '10.0.0.0/8', list: '203.0.113.9', expected: '127.0.0.1' },
    { note: 'a text that is no address', trust: 'loopback', list: 'LLAMÁ AL 0800-FALSO', expected: '127.0.0.1' },
    { note: 'a number that some read as an address', trust: 'loopback', list: '2130706433', expected: '127.0.0.1' },
    { note: 'an address in IPv6', trust: 'loopback', list: '2001:DB8:0:0:0:0:0:1', expected: '2001:db8::1' },
    { note: 'IPv4 within IPv6', trust: 'loopback', list: '::ffff:203.0.113.9', expected: '203.0.113.9' },
    { note: 'a zone', trust: 'loopback', list: 'fe80::1%evil', expected: '127.0.0.1' },
    { note: 'a zone in brackets', trust: 'loopback', list: '[fe80::1%eth0]:80', expected: '127.0.0.1' },
    { note: 'a port', trust: 'loopback', list: '203.0.113.9:54321', expected: '203.0.113.9' },
    { note: 'a port of IPv6', trust: 'loopback', list: '[2001:db8::7]:5555', expected: '2001:db8::7' },
    { note: 'brackets without a port', trust: 'loopback', list: '[2001:db8::7]', expected: '2001:db8::7' },
    { note: 'quotation marks', trust: 'loopback', list: '"203.0.113.9:80"', expected: '203.0.113.9' },
    { note: 'quotation marks around IPv6', trust: 'loopback', list: '"[2001:db8::7]:5555"', expected: '2001:db8::7' },
    {
      note: 'IPv4 within IPv6 with a port',
      trust: 'loopback',
      list: '[::ffff:203.0.113.9]:80',
      expected: '203.0.113.9',
    },
    {
      note: 'IPv6 whose last group looks like a port',
      trust: 'loopback',
      list: '2001:db8::7:5555',
      expected: '2001:db8::7:5555',
    },
    { note: 'brackets around IPv4', trust: 'loopback', list: '[203.0.113.9]:80', expected: '127.0.0.1' },
    { note: 'an obfuscated identifier', trust: 'loopback', list: '_hidden:80', expected: '127.0.0.1' },
    {
      note: 'two proxies that append ports',
      trust: 'loopback, 10.0.0.0/8',
      list: '198.51.100.1:1, 203.0.113.9:4711, 10.1.2.3:80',
      expected: '203.0.113.9',
    },
    {
      note: 'two proxies by their number, with ports',
      trust: '2',
      list: '198.51.100.1:1, "[2001:db8::7]:5555", 10.1.2.3:80',
      expected: '2001:db8::7',
    },
  ])('$note', async ({ trust, list, expected }) => {
    expect(await readClientAddress(trust, from(list))).toBe(expected);
  });

  test('IPv4 within IPv6 of the connection itself', async () => {
    expect(await readClientAddress('off', {}, '::ffff:192.0.2.7')).toBe('192.0.2.7');
  });

  test.each(['', '1.2.3', '01.2.3.4', 'a.b.c.d', '1.2.3.4:80', '[::1]', '<b>::1'])('%j is no address', (text) =>
    expect(readAddress(text)).toBeNull(),
  );

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
  ])('%s is counted as %s', (address, counted) => expect(toRateLimitKey(address)).toBe(counted));

  test.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['::ffff:1.2.3.4', null],
    ['203.0.113.9', null],
    ['nobody', null],
  ])('the site of %s is %s', (address, site) => expect(findSiteNetwork(address)).toBe(site));

  test.each([
    {
      note: 'no proxy is trusted',
      trust: 'off',
      header: (_: number) => '',
      warned: 'all requests come from one address',
    },
    {
      note: 'the proxy sends no address',
      trust: 'loopback',
      header: () => '',
      warned: 'under the address of the proxy',
    },
    {
      note: 'the proxy sends no address, by its number',
      trust: '1',
      header: () => 'unknown',
      warned: 'under the address of the proxy',
    },
    {
      note: 'another proxy hides the clients',
      trust: 'loopback',
      header: () => '203.0.113.9',
      warned: 'all requests come from one address',
    },
    { note: 'clients differ', trust: 'loopback', header: (at: number) => `203.0.113.${at % 20}:${at}`, warned: null },
  ])('[OPER-09] the log says once when $note', async ({ trust, header, warned }) => {
    const proxies = readProxies(trust);
    const said: unknown[] = [];
    const http = fastify({ trustProxy: createTrustProxy(proxies) });
    watchAddresses(http, {
      proxies,
      log: { warn: (_: unknown, text?: string) => void said.push(text) },
      ignored: new Set(['/readyz']),
      requests: 50,
    });
    for (const url of ['/', '/readyz']) http.get(url, async () => 'x');
    for (let at = 0; at < 120; at += 1) {
      await http.inject({ url: '/', headers: header(at) === '' ? {} : from(header(at)) });
      await http.inject({ url: '/readyz', remoteAddress: '192.0.2.1' });
    }
    await http.close();
    expect(said).toEqual(warned === null ? [] : [expect.stringContaining(warned)]);
  });

  test('[OPER-09] a server that is open to others says so', async () => {
    const { http, log } = await startFakeServer({
      env: { BASE_URL: 'https://identidad.example.uy', SMTP_URL: 'smtp://127.0.0.1:9' },
    });
    for (let at = 0; at < 500; at += 1) await http.inject('/rest/paises/');
    await http.close();
    expect(log()).toContain('all requests come from one address');
  });

  test('tries from all over one network of IPv6 are counted together, those of another one apart', async () => {
    const server = await openTestServer();
    const admit = (address: string) =>
      server.parts.throttle.admit(support.limits.feedback, { address }, server.clock.now());
    for (let host = 0; host < 60; host++) await admit(`2001:db8:1:2:${host}::1`);
    await expect(admit('2001:db8:1:2:ffff::1')).rejects.toMatchObject({ status: 429 });
    await admit('2001:db8:1:3::1');
    await server.close();
  });
});
