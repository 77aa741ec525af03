import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import { request as requestHttp, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { Configuration } from 'oidc-provider';

/** How the broker calls addresses that applications registered. */
export interface OutwardOptions {
  /** Longest wait for an answer, in milliseconds. */
  readonly limitMs: number;
  /** Whether private, loopback and other special addresses may be called. */
  readonly privateToo: boolean;
}

/**
 * Calls an address of an application and answers its status, for the provider: no redirect is followed, no body read, and the address
 * is judged as it was resolved for this very connection, so that no name can turn inwards after the check.
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

/** Asks an address, judged as it is resolved for this very connection, without following redirects; throws when it is private, slow or says too much. */
export async function outwardSend(
  target: URL,
  { method, headers, content, mostBytes }: OutwardRequest,
  { limitMs, privateToo }: OutwardOptions,
): Promise<OutwardAnswer> {
  if (!privateToo && isIP(bare(target.hostname)) !== 0 && isSpecial(bare(target.hostname)))
    throw new Error('the address is a private one');
  const response = await send(target, content, {
    method,
    headers: { ...headers, ...(content !== undefined && { 'content-length': Buffer.byteLength(content) }) },
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

/** Whether an IP address is none of the public Internet. */
export function isSpecial(address: string): boolean {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return isSpecial(mapped);
  return isIP(address) === 6 ? special6.check(address, 'ipv6') : special4.check(address);
}

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

/** The special-purpose address registries of IANA, multicast included; a list of both would find every IPv4 address in `::ffff:0:0/96`. */
const special4 = new BlockList();
const special6 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special4.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  special6.addSubnet(network, prefix, 'ipv6');
