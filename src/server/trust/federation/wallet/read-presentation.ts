import { createHash, createPublicKey, verify as verifyBytes, type JsonWebKey } from 'node:crypto';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { compactDecrypt, decodeJwt, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import { asObject, isObject } from '../../../../engine/core/json.ts';
import { hasMoreOccurrences } from '../../../platform/http/url-limits.ts';
import { normalizeDocument } from '../../../platform/base/identity-document.ts';
import type { WalletIssuer, WalletIssuers } from './wallet-verifier.ts';
import {
  walletCredentialFormat,
  walletCredentialId,
  documentNumberClaim,
  walletSignatureAlgorithm,
  WalletError,
} from './wallet-verifier.ts';

/** Claims that must not be selectively disclosable (SD-JWT VC, section 3.2.2.2), because the holder could omit or replace them. */
const nonDisclosableClaims: ReadonlySet<string> = new Set([
  'iss',
  'nbf',
  'exp',
  'cnf',
  'vct',
  'vct#integrity',
  'status',
]);

const acceptedDigests: Readonly<Record<string, string>> = {
  'sha-256': 'sha256',
  'sha-384': 'sha384',
  'sha-512': 'sha512',
};

interface Disclosure {
  readonly name: string | null;
  readonly value: unknown;
}

/**
 * Checks of RFC 9901, section 7.1, that the library omits: digests are unique, each disclosure has a digest, and no disclosure repeats a claim or
 * contains one of `nonDisclosableClaims`. `payload` still includes the digests.
 */
function assertDisclosures(payload: Readonly<Record<string, unknown>>, disclosures: readonly string[]): void {
  const algorithm = acceptedDigests[String(payload['_sd_alg'] ?? 'sha-256')];
  if (algorithm === undefined) throw new WalletError('unsupported _sd_alg');
  const hashDisclosure = (text: string): string => createHash(algorithm).update(text).digest('base64url');
  const given = new Map(disclosures.map((text) => [hashDisclosure(text), readDisclosure(text)]));
  if (given.size < disclosures.length) throw new WalletError('duplicate disclosure');
  const seen = new Set<string>();
  const takeDisclosure = (digest: unknown): Disclosure | undefined => {
    if (typeof digest !== 'string' || seen.has(digest)) throw new WalletError('a digest is repeated or invalid');
    seen.add(digest);
    return given.get(digest);
  };
  const checkValue = (value: unknown, reserved: ReadonlySet<string>): void => {
    if (Array.isArray(value)) {
      for (const element of value)
        checkValue(isObject(element) && '...' in element ? takeDisclosure(element['...'])?.value : element, noClaims);
      return;
    }
    if (!isObject(value)) return;
    const { _sd: hidden = [], ...clear } = value;
    if (!Array.isArray(hidden)) throw new WalletError('_sd is not an array');
    const names = new Set([...Object.keys(clear), ...reserved, '_sd', '...']);
    for (const digest of hidden) {
      const disclosed = takeDisclosure(digest);
      if (disclosed === undefined) continue;
      if (disclosed.name === null || names.has(disclosed.name))
        throw new WalletError('a disclosure gives a claim that is there already, or may not be disclosed');
      names.add(disclosed.name);
      checkValue(disclosed.value, noClaims);
    }
    for (const claim of Object.values(clear)) checkValue(claim, noClaims);
  };
  checkValue(payload, nonDisclosableClaims);
  if ([...given.keys()].some((digest) => !seen.has(digest)))
    throw new WalletError('a disclosure is not of this credential');
}

const noClaims: ReadonlySet<string> = new Set();

function readDisclosure(text: string): Disclosure {
  const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  if (!Array.isArray(parts) || parts.length < 2 || parts.length > 3 || typeof parts[0] !== 'string')
    throw new WalletError('a disclosure is malformed');
  const [, name, value]: readonly unknown[] = parts.length === 3 ? parts : [parts[0], null, parts[1]];
  if (parts.length === 3 && typeof name !== 'string') throw new WalletError('a disclosure is malformed');
  return { name: typeof name === 'string' ? name : null, value };
}

const walletClockSkewS = 60;
const keyBindingLifeS = 300;

const maxTokenLength = 32 * 1024;
/** Maximum number of disclosures. The portal requests one claim, and credentials have a few dozen. */
const maxDisclosures = 128;

export interface ExpectedWalletPresentation {
  readonly issuers: WalletIssuers;
  readonly clientId: string;
  readonly nonce: string;
  readonly key: JWK;
  readonly now: Date;
  readonly fetchList: (address: string) => Promise<string>;
}

export interface WalletPresentation {
  readonly number: string;
  readonly level: number;
}

/**
 * Accepts one credential of a trusted issuer, valid and not revoked, with a recent signature of its holder over the nonce. Checks what the library
 * omits: types, issuer, expiry, audience and age of the holder's signature, and the origin of status lists.
 */
export async function verifyWalletPresentation(response: string, expected: ExpectedWalletPresentation) {
  try {
    return await verifyPresentation(await decryptToken(response, expected.key), expected);
  } catch (error) {
    if (error instanceof WalletError) throw error;
    throw new WalletError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

async function decryptToken(response: string, key: JWK): Promise<string> {
  if (response.split('.').length !== 5) throw new WalletError('the answer is not encrypted');
  const { plaintext } = await compactDecrypt(response, await importJWK(key, 'ECDH-ES'), {
    keyManagementAlgorithms: ['ECDH-ES'],
    contentEncryptionAlgorithms: ['A256GCM', 'A128GCM'],
  });
  const payload: unknown = JSON.parse(new TextDecoder().decode(plaintext));
  const answered = asObject(asObject(payload)['vp_token']);
  const { [walletCredentialId]: tokens, ...others } = answered;
  const [token, second]: readonly unknown[] = Array.isArray(tokens) ? tokens : [tokens];
  if (typeof token !== 'string' || second !== undefined || Object.keys(others).length > 0)
    throw new WalletError('the answer presents no one credential');
  return token;
}

async function verifyPresentation(token: string, expected: ExpectedWalletPresentation): Promise<WalletPresentation> {
  if (token.length > maxTokenLength || hasMoreOccurrences(token, '~', maxDisclosures))
    throw new WalletError('the credential is too large');
  const { issuers, nonce, now, fetchList } = expected;
  const [credential = '', ...disclosures] = token.split('~').slice(0, -1); // without the last element, the key binding JWT
  const issuer = findIssuer(credential, issuers);
  const nowS = Math.floor(now.getTime() / 1000);
  const library = new SDJwtVcInstance({
    hasher: (data, algorithm) =>
      createHash(algorithm.replace('-', ''))
        .update(typeof data === 'string' ? data : Buffer.from(data))
        .digest(),
    verifier: (data, signature) => issuer.keys.some((key) => isSignedBy(key as JsonWebKey, data, signature)),
    kbVerifier: (data, signature, payload) => isSignedBy(readHolderKey(payload), data, signature),
    statusListFetcher: async (address) => fetchStatusList(address, issuer, { now, fetchList }),
  });
  const { payload, header, kb } = await library.verify(token, {
    currentDate: nowS,
    skewSeconds: walletClockSkewS,
    keyBindingNonce: nonce,
    requiredClaimKeys: ['iss', 'exp', 'cnf', 'vct', documentNumberClaim],
  });
  const { exp, nbf = 0, iat = 0 } = decodeJwt(credential); // the library does not check the types, and a credential whose `exp` is not a number would never expire
  if (![exp, nbf, iat].every((time) => typeof time === 'number') || exp === 0)
    throw new WalletError('a timestamp of the credential is invalid');
  assertDisclosures(decodeJwt(credential), disclosures);
  if (header?.['typ'] !== walletCredentialFormat || 'crit' in header)
    throw new WalletError('unexpected typ of the credential');
  if (typeof payload.vct !== 'string' || !issuer.types.includes(payload.vct))
    throw new WalletError('unexpected vct of the credential');
  if (issuer.statusOrigins) assertStatusReference(payload.status);
  assertKeyBinding(kb, expected, nowS);
  const number: unknown = payload[documentNumberClaim];
  if (typeof number !== 'string' || !/^\d[\d.-]{5,11}$/.test(number))
    throw new WalletError('the credential names no national document');
  return { number: normalizeDocument(null, null, number.replace(/[.-]/g, '')).number, level: issuer.level };
}

/** Finds the issuer by the unverified `iss`. The signature is verified with the issuer's keys afterwards. */
function findIssuer(credential: string, issuers: WalletIssuers): WalletIssuer {
  if (decodeProtectedHeader(credential).alg !== walletSignatureAlgorithm)
    throw new WalletError('the credential is signed by another algorithm');
  const { iss } = decodeJwt(credential);
  const issuer = issuers.find((known) => known.issuer === iss);
  if (issuer === undefined) throw new WalletError('the issuer is not listed');
  return issuer;
}

function assertKeyBinding(
  kb: { readonly payload: unknown; readonly header: unknown } | undefined,
  { clientId }: ExpectedWalletPresentation,
  nowS: number,
): void {
  const header = isObject(kb?.header) ? kb.header : {};
  const payload = isObject(kb?.payload) ? kb.payload : {};
  if (header['typ'] !== 'kb+jwt' || header['alg'] !== walletSignatureAlgorithm || 'crit' in header)
    throw new WalletError('the holder has not signed');
  if (payload['aud'] !== clientId) throw new WalletError('unexpected aud of the key binding JWT');
  const age = nowS - (typeof payload['iat'] === 'number' ? payload['iat'] : NaN);
  if (!(age >= -walletClockSkewS && age <= keyBindingLifeS))
    throw new WalletError('the iat of the key binding JWT is out of range');
}

function readHolderKey(payload: unknown): JsonWebKey {
  const cnf = isObject(payload) ? payload['cnf'] : undefined;
  const key = isObject(cnf) ? cnf['jwk'] : undefined;
  if (!isObject(key) || key['kty'] !== 'EC' || key['crv'] !== 'P-256')
    throw new WalletError('the credential names no key of its holder');
  return { kty: 'EC', crv: 'P-256', x: String(key['x']), y: String(key['y']) };
}

/** Throws if there is no reference to a status list, because the library then skips the check of the status. */
function assertStatusReference(status: unknown): void {
  const place = isObject(status) ? status['status_list'] : undefined;
  if (!isObject(place) || typeof place['uri'] !== 'string' || !Number.isInteger(place['idx']))
    throw new WalletError('the credential has no status');
}

/** Fetches a status list, which must be from an allowed origin and have an expiry. The library verifies its signature and `exp`. */
async function fetchStatusList(
  address: string,
  { issuer, statusOrigins = [] }: WalletIssuer,
  { now, fetchList }: Pick<ExpectedWalletPresentation, 'now' | 'fetchList'>,
): Promise<string> {
  if (!URL.canParse(address) || !statusOrigins.includes(new URL(address).origin))
    throw new WalletError('the status list has an unexpected URI');
  const list = (await fetchList(address)).trim();
  const { typ, alg } = decodeProtectedHeader(list);
  const { sub, iss = issuer, iat = NaN, ttl, exp = iat + Number(ttl) } = decodeJwt(list);
  if (typ !== 'statuslist+jwt' || alg !== walletSignatureAlgorithm || sub !== address || iss !== issuer)
    throw new WalletError('unexpected sub of the status list');
  if (!(exp + walletClockSkewS > now.getTime() / 1000))
    throw new WalletError('the status list has expired or has no exp');
  return list;
}

function isSignedBy(key: JsonWebKey, data: string, signature: string): boolean {
  const publicKey = createPublicKey({ key, format: 'jwk' });
  const bytes = Buffer.from(signature, 'base64url');
  return verifyBytes('sha256', Buffer.from(data), { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes);
}
