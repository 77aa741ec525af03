import { createHash } from 'node:crypto';
import { isObject } from '../../../../engine/core/json.ts';
import { WalletError } from './names.ts';

/** Claims that must not be selectively disclosed (SD-JWT VC, section 3.2.2.2), because the holder could omit or replace them. */
const clearClaims: ReadonlySet<string> = new Set(['iss', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'status']);

/** Accepted digests, by their names in `_sd_alg`. */
const digests: Readonly<Record<string, string>> = { 'sha-256': 'sha256', 'sha-384': 'sha384', 'sha-512': 'sha512' };

/** A disclosed claim, or a disclosed array element without a name. */
interface Disclosed {
  readonly name: string | null;
  readonly value: unknown;
}

/**
 * Checks what the library omits of RFC 9901, section 7.1: digests are unique, each disclosure has one, and none repeats a claim or discloses one that
 * must stay in clear. `payload` is what the issuer signed, including the digests. Throws a `WalletError`.
 */
export function checkDisclosures(payload: Readonly<Record<string, unknown>>, disclosures: readonly string[]): void {
  const algorithm = digests[String(payload['_sd_alg'] ?? 'sha-256')];
  if (algorithm === undefined) throw new WalletError('the disclosures are of an algorithm that is not believed');
  const digestOf = (text: string): string => createHash(algorithm).update(text).digest('base64url');
  const given = new Map(disclosures.map((text) => [digestOf(text), readDisclosure(text)]));
  if (given.size < disclosures.length) throw new WalletError('a disclosure comes twice');
  const seen = new Set<string>();
  const take = (digest: unknown): Disclosed | undefined => {
    if (typeof digest !== 'string' || seen.has(digest)) throw new WalletError('a digest comes twice, or is none');
    seen.add(digest);
    return given.get(digest);
  };
  const walk = (value: unknown, reserved: ReadonlySet<string>): void => {
    if (Array.isArray(value)) {
      for (const element of value)
        walk(isObject(element) && '...' in element ? take(element['...'])?.value : element, none);
      return;
    }
    if (!isObject(value)) return;
    const { _sd: hidden = [], ...clear } = value;
    if (!Array.isArray(hidden)) throw new WalletError('the digests are no list');
    const names = new Set([...Object.keys(clear), ...reserved, '_sd', '...']);
    for (const digest of hidden) {
      const disclosed = take(digest);
      if (disclosed === undefined) continue;
      if (disclosed.name === null || names.has(disclosed.name))
        throw new WalletError('a disclosure gives a claim that is there already, or may not be disclosed');
      names.add(disclosed.name);
      walk(disclosed.value, none);
    }
    for (const claim of Object.values(clear)) walk(claim, none);
  };
  walk(payload, clearClaims);
  if ([...given.keys()].some((digest) => !seen.has(digest)))
    throw new WalletError('a disclosure is not of this credential');
}

const none: ReadonlySet<string> = new Set();

function readDisclosure(text: string): Disclosed {
  const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  if (!Array.isArray(parts) || parts.length < 2 || parts.length > 3 || typeof parts[0] !== 'string')
    throw new WalletError('a disclosure is malformed');
  const [, name, value]: readonly unknown[] = parts.length === 3 ? parts : [parts[0], null, parts[1]];
  if (parts.length === 3 && typeof name !== 'string') throw new WalletError('a disclosure is malformed');
  return { name: typeof name === 'string' ? name : null, value };
}
