import { adversarialTextGenerators } from '../../../src/engine/compiler/files/plugin-export-checks.ts';

/** A request that is costly to parse: its target and headers. */
export interface HardRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A kind of request that is costly to parse. `createOfSize` creates a request whose costly part has about this size in
 * bytes.
 */
export interface HardAddress {
  readonly kind: string;
  /** Sizes to test, in bytes: about the largest that is accepted, and the largest head that Node.js reads. */
  readonly sizes: readonly number[];
  readonly createOfSize: (bytes: number) => HardRequest;
}

/** A URL of the product: its path, a valid query, and the names of the parameters that the server reads. */
export interface Address {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly reads?: readonly string[];
}

const maxBytes = { path: 1_900, query: 11_500, head: 15_300 } as const;

/** Texts to repeat in a path, a query or a header. */
const repeated = {
  path: ['/', '/a', '/..', '%2F', '%CC%81%CC%A3', '%41', '%', ';', '?', 'a', '\\', '%EF%B7%BA'],
  query: ['&', '=', '+', '%', '?', 'a=1&', 'a&', 'a[]=1&', '%CC%81%CC%A3', '%26', 'a=%41&', 'lang=es&', '#'],
  header: [
    ',',
    ', ',
    ';',
    '; ',
    'a,',
    'a;',
    'q=1;',
    ';q=0',
    '"',
    'a=1; ',
    '=',
    '1',
    '127.0.0.1, ',
    '::,',
    '%',
    'W/',
    '/',
  ],
} as const;

/** Names of headers that the server or its libraries read. */
const headers = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'content-type',
  'cookie',
  'definition-version',
  'forwarded',
  'if-none-match',
  'origin',
  'referer',
  'sec-fetch-site',
  'traceparent',
  'user-agent',
  'x-client-cert',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-request-id',
] as const;

/** Names of cookies that the server or its libraries read. */
const cookies = ['portal-session', 'language', '_session'] as const;

/**
 * Lists requests to a URL that are costly to parse: in the path, in the query, and in each parameter that the
 * server reads.
 */
export function listHardAddresses({ path, query = {}, reads = [] }: Address): readonly HardAddress[] {
  const fixed = new URLSearchParams(query).toString();
  const target = (kind: string, make: (bytes: number) => string, within: number = maxBytes.query): HardAddress => ({
    kind,
    sizes: [within, maxBytes.head],
    createOfSize: (bytes) => ({ target: make(bytes), headers: {} }),
  });
  // only the accepted size, because an oversized URL is rejected before its parameters are read
  const parameter = (kind: string, make: (bytes: number) => string): HardAddress => ({
    ...target(kind, make),
    sizes: [maxBytes.query],
  });
  const inner = path === '/' ? '' : path.replace(/\/$/, '');
  const names =
    Object.keys(query).length > 0 || reads.length > 0 ? [...new Set([...Object.keys(query), ...reads])] : ['a'];
  return [
    ...repeated.path.flatMap((part) => [
      target(`path: ${part}`, (bytes) => `${inner}/${repeatPart(part, bytes)}`, maxBytes.path),
      target(`path before: ${part}`, (bytes) => `/${repeatPart(part, bytes)}${path}`, maxBytes.path),
    ]),
    ...repeated.query.map((part) => target(`query: ${part}`, (bytes) => `${path}?${fixed}&${repeatPart(part, bytes)}`)),
    target('query: many names', (bytes) => `${path}?${fixed}&${buildManyNames(bytes)}`),
    ...names.flatMap((name) => [
      parameter(`${name} repeated`, (bytes) => `${path}?${fixed}&${repeatPart(`${name}=1&`, bytes)}`),
      parameter(`${name}: deep JSON`, (bytes) => `${path}?${withValue(query, name, '{"a":'.repeat(bytes / 14))}`),
      ...Object.entries(adversarialTextGenerators).map(([kind, make]) =>
        parameter(`${name}: ${kind}`, (bytes) => `${path}?${withValue(query, name, findFittingText(make, bytes))}`),
      ),
    ]),
  ];
}

/** Lists requests to a URL with headers that are costly to parse. */
export function listHardHeaders({ path, query = {} }: Address): readonly HardAddress[] {
  const target = Object.keys(query).length > 0 ? `${path}?${new URLSearchParams(query)}` : path;
  const header = (kind: string, name: string, make: (bytes: number) => string): HardAddress => ({
    kind,
    sizes: [maxBytes.head],
    createOfSize: (bytes) => ({ target, headers: { [name]: make(bytes) } }),
  });
  return [
    ...headers.flatMap((name) => [
      ...repeated.header.map((part) => header(`${name}: ${part}`, name, (bytes) => `a${repeatPart(part, bytes)}a`)),
      header(`${name}: blanks`, name, (bytes) => `a${' '.repeat(bytes)}a`),
      header(`${name}: one letter`, name, (bytes) => 'a'.repeat(bytes)),
    ]),
    header('authorization: a token', 'authorization', (bytes) => `Bearer ${'a'.repeat(bytes)}!`),
    header('cookie: many names', 'cookie', (bytes) => buildManyNames((bytes * 8) / 9).replaceAll('&', '; ')),
    ...cookies.flatMap((name) => [
      header(`cookie ${name}: one letter`, 'cookie', (bytes) => `${name}=${'a'.repeat(bytes)}`),
      header(`cookie ${name}: encoded`, 'cookie', (bytes) => `${name}=${repeatPart('%CC%81%CC%A3', bytes)}`),
      header(`cookie ${name} repeated`, 'cookie', (bytes) => repeatPart(`${name}=1; `, bytes)),
    ]),
    {
      kind: 'many headers',
      sizes: [maxBytes.head],
      createOfSize: (bytes) => ({
        target,
        headers: Object.fromEntries(Array.from({ length: bytes / 11 }, (_, index) => [`n${index}`, '1'])),
      }),
    },
  ];
}

function repeatPart(part: string, bytes: number): string {
  return part.repeat(Math.floor(bytes / part.length));
}

function buildManyNames(bytes: number): string {
  return Array.from({ length: bytes / 8 }, (_, index) => `n${index.toString(36).padStart(4, '0')}=1`).join('&');
}

function withValue(query: Readonly<Record<string, string>>, name: string, value: string): string {
  return new URLSearchParams({ ...query, [name]: value }).toString();
}

/** Returns the longest text whose encoded form fits into `bytes`. A character takes one to nine bytes. */
function findFittingText(make: (length: number) => string, bytes: number): string {
  const encoded = (text: string) => new URLSearchParams({ a: text }).toString().length;
  return make(Math.floor(bytes / Math.max(1, encoded(make(64)) / 64)));
}
