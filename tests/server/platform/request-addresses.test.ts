import { fastify } from 'fastify';
import { describe, expect, test } from 'vitest';
import { createTrustProxyOption } from '../../../src/server/platform/http/client-address.ts';
import { warnOfHiddenClientAddresses } from '../../../src/server/platform/metrics/hidden-client-addresses.ts';
import {
  toIpRateLimitKey,
  normalizeIpAddress,
  parseTrustedProxies,
  findIpv6SiteNetwork,
} from '../../../src/server/platform/base/ip-addresses.ts';
import { startFakeServer } from '../support/fake-server.ts';
import { serverModule as support } from '../../../src/server/features/support/index.ts';
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

describe('[LOG-03] client address of a request', () => {
  test.each([
    ['ignores the header without a proxy', 'off', '203.0.113.9', '127.0.0.1'],
    ['is read from a trusted proxy', 'loopback', '203.0.113.9', '203.0.113.9'],
    ['ignores addresses sent by the client', 'loopback', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['skips two trusted proxies', 'loopback, 10.0.0.0/8', '198.51.100.1, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
    ['skips two trusted hops', '2', '198.51.100.1, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
    ['ignores an untrusted proxy', '10.0.0.0/8', '203.0.113.9', '127.0.0.1'],
    ['ignores a text that is not an address', 'loopback', 'LLAMÁ AL 0800-FALSO', '127.0.0.1'],
    ['ignores an address as an integer', 'loopback', '2130706433', '127.0.0.1'],
    ['normalizes an IPv6 address', 'loopback', '2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['unwraps an IPv4-mapped IPv6 address', 'loopback', '::ffff:203.0.113.9', '203.0.113.9'],
    ['ignores an IPv6 address with a zone', 'loopback', 'fe80::1%evil', '127.0.0.1'],
    ['ignores an IPv6 zone in brackets', 'loopback', '[fe80::1%eth0]:80', '127.0.0.1'],
    ['drops the port of an IPv4 address', 'loopback', '203.0.113.9:54321', '203.0.113.9'],
    ['drops the port of an IPv6 address', 'loopback', '[2001:db8::7]:5555', '2001:db8::7'],
    ['drops brackets without a port', 'loopback', '[2001:db8::7]', '2001:db8::7'],
    ['drops quotation marks', 'loopback', '"203.0.113.9:80"', '203.0.113.9'],
    ['drops quotation marks around IPv6', 'loopback', '"[2001:db8::7]:5555"', '2001:db8::7'],
    ['unwraps IPv4-mapped IPv6 with a port', 'loopback', '[::ffff:203.0.113.9]:80', '203.0.113.9'],
    ['preserves a last IPv6 group of digits', 'loopback', '2001:db8::7:5555', '2001:db8::7:5555'],
    ['ignores an IPv4 address in brackets', 'loopback', '[203.0.113.9]:80', '127.0.0.1'],
    ['ignores an obfuscated identifier', 'loopback', '_hidden:80', '127.0.0.1'],
    [
      'skips two proxies that append ports',
      'loopback, 10.0.0.0/8',
      '198.51.100.1:1, 203.0.113.9:4711, 10.1.2.3:80',
      '203.0.113.9',
    ],
    ['skips two hops that append ports', '2', '198.51.100.1:1, "[2001:db8::7]:5555", 10.1.2.3:80', '2001:db8::7'],
  ])('%s', async (_note, trust, list, expected) => {
    expect(await readClientAddress(trust, from(list))).toBe(expected);
  });

  test('unwraps an IPv4-mapped IPv6 address of the connection', async () => {
    expect(await readClientAddress('off', {}, '::ffff:192.0.2.7')).toBe('192.0.2.7');
  });

  test.each(['', '1.2.3', '01.2.3.4', 'a.b.c.d', '1.2.3.4:80', '[::1]', '<b>::1'])(
    'normalizeIpAddress returns null for %j',
    (text) => expect(normalizeIpAddress(text)).toBeNull(),
  );

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
  ])('toIpRateLimitKey turns %s into %s', (address, counted) => expect(toIpRateLimitKey(address)).toBe(counted));

  test.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['::ffff:1.2.3.4', null],
    ['203.0.113.9', null],
    ['nobody', null],
  ])('findIpv6SiteNetwork of %s is %s', (address, site) => expect(findIpv6SiteNetwork(address)).toBe(site));

  test.each([
    ['warns once without a trusted proxy', 'off', (_: number) => '', 'all requests come from one address'],
    ['warns once if a proxy sends no address', 'loopback', () => '', 'under the address of the proxy'],
    ['warns once if a hop sends no address', '1', () => 'unknown', 'under the address of the proxy'],
    ['warns once if a proxy hides clients', 'loopback', () => '203.0.113.9', 'all requests come from one address'],
    ['does not warn if addresses differ', 'loopback', (at: number) => `203.0.113.${at % 20}:${at}`, null],
  ])('[OPER-09] warnOfHiddenClientAddresses %s', async (_note, trust, header, warned) => {
    const proxies = parseTrustedProxies(trust);
    const said: unknown[] = [];
    const http = fastify({ trustProxy: createTrustProxyOption(proxies) });
    warnOfHiddenClientAddresses(http, {
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

  test('[OPER-09] server with a public base URL warns if 500 requests come from one address', async () => {
    const { http, log } = await startFakeServer({
      env: { BASE_URL: 'https://identidad.example.uy', MALWARE_SCANNER: 'none', SMTP_URL: 'smtp://127.0.0.1:9' },
    });
    for (let at = 0; at < 500; at += 1) await http.inject('/rest/paises/');
    await http.close();
    expect(log()).toContain('all requests come from one address');
  });

  test('rate limit counts all addresses of one IPv6 /64 network together, and another network separately', async () => {
    const server = await openTestServer();
    const admit = (address: string) =>
      server.parts.throttle.admit(support.limits.feedback, { address }, server.clock.now());
    for (let host = 0; host < 60; host++) await admit(`2001:db8:1:2:${host}::1`);
    await expect(admit('2001:db8:1:2:ffff::1')).rejects.toMatchObject({ status: 429 });
    await admit('2001:db8:1:3::1');
    await server.close();
  });
});
