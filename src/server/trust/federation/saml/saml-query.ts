import { SamlError } from './saml-error.ts';

/** The parameters of the redirect binding in a query. */
export interface SamlQuery {
  /** The decoded value of a parameter; null where there is none. */
  value(name: string): string | null;
  /**
   * What a signature covers: as it was sent, and the same values as `encodeURIComponent` writes them, since some libraries sign before a last
   * step writes their blanks as plus signs.
   */
  readonly octets: readonly string[];
}

const names = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature'];
const signed = names.slice(0, -1);

/** Reads a query without its question mark; throws a SamlError where a parameter comes twice or cannot be decoded. */
export function readSamlQuery(query: string): SamlQuery {
  const pairs = new Map<string, string>();
  for (const pair of query.split('&')) {
    const name = pair.split('=', 1)[0] ?? '';
    if (!names.includes(name)) continue;
    if (pairs.has(name)) throw new SamlError(`${name} comes twice`);
    pairs.set(name, pair);
  }
  const value = (name: string): string | null => {
    const pair = pairs.get(name);
    return pair === undefined ? null : decode(pair.slice(name.length + 1));
  };
  const given = signed.filter((name) => pairs.has(name));
  return {
    value,
    octets: [
      given.map((name) => pairs.get(name)).join('&'),
      given.map((name) => `${name}=${encodeURIComponent(value(name) ?? '')}`).join('&'),
    ],
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new SamlError('the query is malformed');
  }
}
