import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { xmlMessageLimits } from '../xml/xml-limits.ts';
import {
  getSignatureAlgorithmUri,
  isAcceptedSignatureAlgorithm,
  isValidXmlSignatureValue,
} from './xml-signature-algorithms.ts';
import { SamlError } from './saml-constants.ts';
import { readCertificatePublicKey, type SigningCredential } from './xml-signature.ts';

export type SamlMessageName = 'SAMLRequest' | 'SAMLResponse';

/** Maximum length of a message in base64. The factor 1.5 covers the third that base64 adds, and the line breaks that some libraries insert. */
const maxBase64Length = Math.ceil(xmlMessageLimits.length * 1.5);

export function decodeSamlRedirectMessage(text: string): string {
  const bytes = decodeBase64(text);
  try {
    return inflateRawSync(bytes, { maxOutputLength: xmlMessageLimits.length }).toString('utf8');
  } catch {
    throw new SamlError('the message cannot be inflated, or is too long');
  }
}

export function decodeSamlPostMessage(text: string): string {
  return decodeBase64(text).toString('utf8');
}

function decodeBase64(text: string): Buffer {
  if (text.length > maxBase64Length) throw new SamlError('the message is too long');
  const clean = text.replace(/\s+/g, '');
  if (clean === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(clean)) throw new SamlError('the message is not in base64');
  return Buffer.from(clean, 'base64');
}

/** Builds the URL of a signed message of the redirect binding. */
export async function buildSamlRedirectUrl(
  location: string,
  { name, xml, relayState = null }: { name: SamlMessageName; xml: string; relayState?: string | null },
  credential: SigningCredential,
): Promise<string> {
  const message = deflateRawSync(Buffer.from(xml)).toString('base64');
  const query = await signSamlQuery({ name, message, relayState }, credential);
  return `${location}${location.includes('?') ? '&' : '?'}${query}`;
}

export async function signSamlQuery(
  { name, message, relayState }: { name: SamlMessageName; message: string; relayState: string | null },
  { signer }: SigningCredential,
): Promise<string> {
  const pairs = [
    [name, message],
    ...(relayState === null ? [] : [['RelayState', relayState]]),
    ['SigAlg', getSignatureAlgorithmUri(signer)],
  ].map(([field = '', value = '']) => `${field}=${encodeURIComponent(value)}`);
  const signed = pairs.join('&');
  return `${signed}&Signature=${encodeURIComponent((await signer.sign(Buffer.from(signed))).toString('base64'))}`;
}

/**
 * Throws a `SamlError` unless the signature of the query is valid. Accepts ECDSA signatures in DER too, because some libraries send them in queries.
 */
export function verifySamlQuerySignature({ value, octets }: SamlQuery, certificates: readonly string[]): void {
  const algorithm = value('SigAlg') ?? '';
  const signature = value('Signature');
  if (signature === null) throw new SamlError('the message is not signed');
  if (!isAcceptedSignatureAlgorithm(algorithm)) throw new SamlError('the signature algorithm is not allowed');
  const bytes = Buffer.from(signature, 'base64');
  const known = certificates
    .map(readCertificatePublicKey)
    .some((key) =>
      octets.some((octet) =>
        (['ieee-p1363', 'der'] as const).some((form) =>
          isValidXmlSignatureValue(algorithm, Buffer.from(octet), key, bytes, form),
        ),
      ),
    );
  if (!known) throw new SamlError('no trusted certificate matches the signature');
}

interface SamlQuery {
  value(name: string): string | null;
  /** The signed part, as sent and as encoded by `encodeURIComponent`, because some libraries sign before they encode spaces as plus signs. */
  readonly octets: readonly string[];
}

const signedParameters = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg'];

/** Throws a `SamlError` if a parameter is repeated. The method `value` throws a `SamlError` if the value cannot be decoded. */
export function parseSamlQuery(query: string): SamlQuery {
  const pairs = new Map<string, string>();
  for (const pair of query.split('&')) {
    const name = pair.split('=', 1)[0] ?? '';
    if (!signedParameters.includes(name) && name !== 'Signature') continue;
    if (pairs.has(name)) throw new SamlError(`${name} comes twice`);
    pairs.set(name, pair);
  }
  const value = (name: string): string | null => {
    const pair = pairs.get(name);
    if (pair === undefined) return null;
    try {
      return decodeURIComponent(pair.slice(name.length + 1).replaceAll('+', ' '));
    } catch {
      throw new SamlError('the query is malformed');
    }
  };
  const given = signedParameters.filter((name) => pairs.has(name));
  return {
    value,
    octets: [
      given.map((name) => pairs.get(name)).join('&'),
      given.map((name) => `${name}=${encodeURIComponent(value(name) ?? '')}`).join('&'),
    ],
  };
}
