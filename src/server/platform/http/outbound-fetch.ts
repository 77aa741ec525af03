import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import { request as requestHttp, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { runInChildSpan, buildTraceHeaders } from '../traces/trace.ts';

export interface OutboundRequestOptions {
  readonly limitMs: number;
  readonly allowsPrivateTargets: boolean;
  /** TLS options and agent of the connection. By default each request opens a new connection. */
  readonly connection?: SecureContextOptions & Pick<RequestOptions, 'agent'>;
}

/**
 * Creates the `fetch` for libraries. Reads at most `maxBytes` of a response body, by default only after a GET. Removes caching headers, so that
 * oidc-provider refreshes a client's JWK set after its default of 60 s: with a `max-age` of a year, the client could not withdraw a compromised key.
 */
export function createOutboundFetch({
  maxBytes = (method) => (method === 'GET' ? 64 * 1024 : 0), // a client's JWK set is smaller
  ...options
}: OutboundRequestOptions & { readonly maxBytes?: (method: string) => number }) {
  return async (
    url: string | URL | Request,
    init: { method?: string | undefined; headers?: ConstructorParameters<typeof Headers>[0]; body?: unknown } = {},
  ): Promise<Response> => {
    const { method = 'GET', headers, body } = init;
    const answer = await sendOutboundRequest(
      new URL(url instanceof Request ? url.url : url),
      {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        ...(body !== undefined && body !== null && { content: String(body) }),
        maxBytes: maxBytes(method),
      },
      options,
    );
    const { status, body: content } = answer;
    const { 'cache-control': _cacheControl, expires: _expires, ...answered } = answer.headers;
    return new Response(content.length === 0 ? null : new Uint8Array(content), { status, headers: answered });
  };
}

/**
 * Sends a request without following redirects. Throws if the response takes too long or is too large, or if the target has a special-purpose IP
 * address that is not permitted. Checks the address to which it connects, to prevent DNS rebinding.
 */
export function sendOutboundRequest(
  target: URL,
  request: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly content?: string;
    /** Maximum size of the response body. With 0, the body is discarded. */
    readonly maxBytes: number;
  },
  options: OutboundRequestOptions,
) {
  const { method, headers, content, maxBytes } = request;
  const { limitMs, allowsPrivateTargets: privateToo, connection = { agent: false } } = options;
  const send = async () => {
    const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
    if (!privateToo && isIP(host) !== 0 && isSpecialPurposeIpAddress(host))
      throw new Error('the address is a private one');
    const length = content !== undefined && { 'content-length': Buffer.byteLength(content) };
    const response = await openRequest(target, content, {
      method,
      headers: { ...headers, ...buildTraceHeaders(), ...length },
      ...connection,
      signal: AbortSignal.timeout(limitMs),
      ...(!privateToo && { lookup: lookupPublicAddress }),
    });
    const answered: Readonly<Record<string, string>> = Object.fromEntries(
      Object.entries(response.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
    if (maxBytes === 0) response.resume(); // discards the body, so that the connection closes
    const body = maxBytes === 0 ? Buffer.alloc(0) : await readBody(response, maxBytes);
    return { status: response.statusCode ?? 0, headers: answered, body };
  };
  return runInChildSpan({ name: method, kind: 'client', attributes: { 'server.address': target.hostname } }, send);
}

/** Whether an IP address is in one of IANA's special-purpose registries, and therefore not on the public Internet. */
export function isSpecialPurposeIpAddress(address: string): boolean {
  // An IPv4-compatible IPv6 address (RFC 4291, section 2.5.5.1) counts as special-purpose, because ipaddr.js would parse it as an IPv4 address, which
  // the operating system does not.
  if (/^::\d+\./.test(address)) return true;
  const read = ipaddr.process(address);
  return read.range() !== 'unicast' || (read instanceof ipaddr.IPv6 && read.match(ipv4CompatibleRange));
}

const ipv4CompatibleRange = ipaddr.IPv6.parseCIDR('::/96');

function openRequest(target: URL, content: string | undefined, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((done, failed) => {
    const request: ClientRequest = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, options, done);
    request.on('error', failed).end(content);
  });
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    // chunks are buffers, because no encoding is set
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`); // `throw` leaves the loop, which closes the connection
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const lookupPublicAddress: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true } as LookupOptions & { all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return done(error, '', 0);
    const [first] = addresses;
    if (first === undefined || addresses.some(({ address }) => isSpecialPurposeIpAddress(address)))
      return done(new Error('the address is a private one'), '', 0);
    return options.all ? done(null, addresses) : done(null, first.address, first.family);
  });
};
