import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import { request as requestHttp, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Configuration } from 'oidc-provider';
import { traced, traceHeaders } from '../../../platform/traces/trace.ts';

/** How the broker calls addresses that applications registered. */
export interface OutwardOptions {
  /** Longest wait for an answer, in milliseconds. */
  readonly limitMs: number;
  /** Whether private, loopback and other special addresses may be called. */
  readonly privateToo: boolean;
}

/**
 * Calls an address of an application and answers its status, for the provider: no redirect is followed, no body read, and the address
 * is checked as it was resolved for this very connection, so that no name can turn inwards after the check.
 */
export function outwardFetch({ limitMs, privateToo }: OutwardOptions): NonNullable<Configuration['fetch']> {
  return async (url, { method = 'GET', headers, body } = {}) => {
    const { status } = await outwardSend(
      new URL(url instanceof Request ? url.url : url),
      {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        ...(body !== undefined && body !== null && { content: String(body) }),
        mostBytes: 0,
      },
      { limitMs, privateToo },
    );
    return new Response(null, { status });
  };
}

/** What is asked of an address of somebody else. */
export interface OutwardRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content?: string;
  /** Longest body that is read; 0: nobody reads it. */
  readonly mostBytes: number;
}

/** What it answers. */
export interface OutwardAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Asks an address, checked as it is resolved for this very connection, without following redirects; throws when it is private, slow or says too much. */
export function outwardSend(target: URL, request: OutwardRequest, options: OutwardOptions): Promise<OutwardAnswer> {
  return traced(
    () => ({ name: request.method, kind: 'client', attributes: { 'server.address': target.hostname } }),
    () => sendChecked(target, request, options),
  );
}

async function sendChecked(
  target: URL,
  { method, headers, content, mostBytes }: OutwardRequest,
  { limitMs, privateToo }: OutwardOptions,
): Promise<OutwardAnswer> {
  if (!privateToo && isIP(bare(target.hostname)) !== 0 && isSpecial(bare(target.hostname)))
    throw new Error('the address is a private one');
  const response = await send(target, content, {
    method,
    headers: {
      ...headers,
      ...traceHeaders(),
      ...(content !== undefined && { 'content-length': Buffer.byteLength(content) }),
    },
    agent: false,
    signal: AbortSignal.timeout(limitMs),
    ...(!privateToo && { lookup: outwardLookup }),
  });
  const status = response.statusCode ?? 0;
  const answered = Object.fromEntries(
    Object.entries(response.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  if (mostBytes === 0) {
    response.resume(); // the connection must end
    return { status, headers: answered, body: Buffer.alloc(0) };
  }
  return { status, headers: answered, body: await read(response, mostBytes) };
}

/** Whether an IP address is outside of the public Internet, by the special-purpose registries of IANA. */
export function isSpecial(address: string): boolean {
  // IPv4 in IPv6 as it was written once (RFC 4291, section 2.5.5.1): ipaddr.js reads it as that IPv4 address, and the system does not.
  if (/^::\d+\./.test(address)) return true;
  const read = ipaddr.process(address);
  return read.range() !== 'unicast' || (read instanceof ipaddr.IPv6 && read.match(compatible));
}

const compatible = ipaddr.IPv6.parseCIDR('::/96');

function send(target: URL, content: string | undefined, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((done, failed) => {
    const request: ClientRequest = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, options, done);
    request.on('error', failed).end(content);
  });
}

async function read(response: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    // no encoding is set: it gives buffers
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`the answer is longer than ${mostBytes} bytes`); // leaving the loop ends the connection
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Resolves a name as the system does, and refuses it when any of its addresses is a special one. */
const outwardLookup: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true } as LookupOptions & { all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return done(error, '', 0);
    const [first] = addresses;
    if (first === undefined || addresses.some(({ address }) => isSpecial(address)))
      return done(new Error('the address is a private one'), '', 0);
    return options.all ? done(null, addresses) : done(null, first.address, first.family);
  });
};

/** The brackets around an IPv6 address in a URL. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
