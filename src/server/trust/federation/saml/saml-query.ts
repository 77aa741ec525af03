import { SamlError } from './names.ts';

export interface SamlQuery {
  /** The decoded value of a parameter. Returns `null` if it is missing. */
  value(name: string): string | null;
  /** The query as sent, or re-encoded with `encodeURIComponent`: some libraries sign before they encode spaces as plus signs. */
  readonly octets: readonly string[];
}

const names = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature'];
const signed = names.slice(0, -1);

/** Parses a query string without its question mark. Throws a `SamlError` if a parameter is repeated, and later if a value cannot be decoded. */
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
