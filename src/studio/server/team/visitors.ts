import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { isObject } from '../../../engine/core/json.ts';
import type { Config } from '../../../server/platform/config/config.ts';
import { StartError } from '../../../server/platform/base/start-error.ts';
import { isWithin } from '../../../server/platform/base/addresses.ts';
import type { Person } from '../../proposal-data.ts';

/** Somebody who opens the studio. */
export interface Visitor {
  /** Null: git does not know who works here. */
  readonly person: Person | null;
  /** Whether files and proposals are theirs to write. */
  readonly mayWrite: boolean;
}

/** Who opens the studio, and by what they are known. */
export interface Visitors {
  /** Origin of the studio's pages. */
  readonly origin: string;
  /** Several people share the files. */
  readonly isTeam: boolean;
  /** Whether a request is answered at all: from a place, at a name and for a page that the studio is for. */
  admits(request: IncomingMessage): boolean;
  /** Who sent an admitted request. */
  of(request: IncomingMessage): Promise<Visitor>;
}

/** The one who works at this machine, by the name that git has. Another name of the server may be somebody's who made it lead here. */
export function ownVisitor(origin: string, person: () => Promise<Person | null>): Visitors {
  return {
    origin,
    isTeam: false,
    admits: ({ socket, headers }) =>
      isLoopback(socket.remoteAddress) && headers['x-forwarded-for'] === undefined && isOwn(headers, origin),
    of: async () => ({ person: await person(), mayWrite: true }),
  };
}

/** A team behind a proxy that signs its members in and names them by their address in a header. */
export interface Team {
  readonly origin: string;
  readonly header: string;
  readonly proxies: readonly string[];
}

/** The settings of a team; throws a StartError where one is missing: without them anybody could name anybody. */
export function teamOf({
  baseUrl,
  proxies,
  studioUserHeader,
}: Pick<Config, 'baseUrl' | 'proxies' | 'studioUserHeader'>): Team {
  if (studioUserHeader === null)
    throw new StartError('STUDIO_USER_HEADER must name the header in which the proxy says who is signed in.');
  if (proxies === null || typeof proxies === 'number')
    throw new StartError('TRUST_PROXY must name the address of the proxy that sets STUDIO_USER_HEADER.');
  return { origin: new URL(baseUrl).origin, header: studioUserHeader, proxies };
}

/** Who may write, by address, with the names that their commits have: a file of the project that the studio itself does not write. */
const editorsFile = 'editors.json';

/** The members of a team. Who is in no list looks. */
export function teamVisitors({ origin, header, proxies }: Team, root: string): Visitors {
  const addressOf = ({ headers }: IncomingMessage): string | null => {
    const given = headers[header];
    return typeof given === 'string' && /^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(given) ? given.toLowerCase() : null;
  };
  return {
    origin,
    isTeam: true,
    admits: (request) =>
      isWithin(request.socket.remoteAddress, proxies) && isOwn(request.headers, origin) && addressOf(request) !== null,
    of: async (request) => {
      const email = addressOf(request) ?? '';
      const name = (await readEditors(root)).get(email);
      return { person: { name: name ?? email, email }, mayWrite: name !== undefined };
    },
  };
}

/** Nobody where the file is missing or broken. */
async function readEditors(root: string): Promise<ReadonlyMap<string, string>> {
  try {
    const names: unknown = JSON.parse(await readFile(join(root, editorsFile), 'utf8'));
    const entries = Object.entries(isObject(names) ? names : {});
    return new Map(
      entries.flatMap(([email, name]) => {
        const plain = typeof name === 'string' ? name.replaceAll(/[<>\s]+/g, ' ').trim() : '';
        return plain === '' ? [] : [[email.toLowerCase(), plain]];
      }),
    );
  } catch {
    return new Map();
  }
}

function isOwn({ host, origin: from }: IncomingMessage['headers'], origin: string): boolean {
  return host === new URL(origin).host && [undefined, origin].includes(from);
}

function isLoopback(remote = ''): boolean {
  const address = remote.replace(/^::ffff:/, '');
  return isIPv6(address) ? address === '::1' : address.startsWith('127.');
}
