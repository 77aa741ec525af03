import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { setGlobalConfig } from '@openid4vc/oauth2';
import { Openid4vpClient } from '@openid4vc/openid4vp';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { CompactEncrypt, compactVerify, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { WalletIssuer } from '../../server/trust/federation/wallet/issuers.ts';
import 'reflect-metadata'; // the next one asks for it
import * as x509 from '@peculiar/x509';

export interface SampleKey {
  readonly publicJwk: JWK;
  readonly sign: (data: string) => Promise<string>;
}

/** An issuer of sample credentials, and its entry in the file of WALLET_ISSUERS. */
export interface SampleIssuer {
  readonly key: SampleKey;
  readonly entry: WalletIssuer;
}

/** What a wallet answers with; a test may have another one. */
export interface WalletAnswer {
  /** Where the browser of the same device goes on; undefined: it waits elsewhere. */
  readonly redirect_uri?: string;
}

const hour = 60 * 60;
const nowS = (): number => Math.floor(Date.now() / 1000);

export async function newKey(): Promise<SampleKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const sign = async (data: string): Promise<string> =>
    Buffer.from(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, Buffer.from(data))).toString(
      'base64url',
    );
  return { publicJwk: await exportJWK(publicKey), sign };
}

export async function newIssuer(entry: Omit<WalletIssuer, 'keys'>): Promise<SampleIssuer> {
  const key = await newKey();
  return { key, entry: { ...entry, keys: [key.publicJwk as WalletIssuer['keys'][number]] } }; // a key of P-256, made above
}

/** Issues a credential (SD-JWT VC) of a person with a number; `changes` replace claims, undefined ones are left out. */
export async function issueCredential(
  { key, entry }: SampleIssuer,
  { number, holder, changes = {} }: { number: string; holder: SampleKey; changes?: Readonly<Record<string, unknown>> },
): Promise<string> {
  const claims = {
    iss: entry.issuer,
    vct: entry.types[0] ?? '',
    iat: nowS(),
    exp: nowS() + hour,
    cnf: { jwk: holder.publicJwk },
    personal_administrative_number: number,
    given_name: 'Ana',
    ...changes,
  };
  const payload = Object.fromEntries(
    Object.entries(claims).filter(([, value]) => value !== undefined),
  ) as typeof claims;
  return library(key).issue(payload, { _sd: ['personal_administrative_number', 'given_name'] });
}

/** Presents the number of a credential; without `bound` the holder signs nothing. */
export function present(
  credential: string,
  holder: SampleKey,
  bound: { readonly aud: string; readonly nonce: string; readonly iat?: number } | null,
  claims: Readonly<Record<string, boolean>> = { personal_administrative_number: true },
): Promise<string> {
  const kb = bound === null ? undefined : { payload: { iat: nowS(), ...bound } };
  return library(holder).present(credential, claims, kb && { kb });
}

/** Reads the request of a link as a wallet does, by a library that validates it; then presents the credential and sends the answer. */
export async function answerLink(
  link: string,
  { credential, holder }: { credential: string; holder: SampleKey },
): Promise<WalletAnswer> {
  setGlobalConfig({ allowInsecureUrls: true }); // a portal on this very machine
  const client = new Openid4vpClient({ callbacks: callbacks() });
  const parsed = client.parseOpenid4vpAuthorizationRequest({ authorizationRequest: link });
  const { authorizationRequestPayload: request } = await client.resolveOpenId4vpAuthorizationRequest({
    authorizationRequestPayload: parsed.params,
  });
  const { client_id: aud = '', nonce } = request;
  const token = await present(credential, holder, { aud, nonce });
  const answer = await client.createOpenid4vpAuthorizationResponse({
    authorizationRequestPayload: request,
    authorizationResponsePayload: { vp_token: { identidad: [token] } },
    jarm: {
      encryption: { nonce: randomBytes(16).toString('base64url') },
      serverMetadata: {
        authorization_encryption_alg_values_supported: ['ECDH-ES'],
        authorization_encryption_enc_values_supported: ['A256GCM'],
        authorization_signing_alg_values_supported: [],
      },
    },
  });
  const { response } = await client.submitOpenid4vpAuthorizationResponse({
    authorizationRequestPayload: request as { response_uri: string },
    authorizationResponsePayload: answer.authorizationResponsePayload,
    ...(answer.jarm && { jarm: answer.jarm }),
  });
  if (!response.ok) throw new Error(`the portal answers ${response.status}`);
  return (await response.json()) as WalletAnswer;
}

export async function encryptAnswer(answer: object, key: JWK): Promise<string> {
  return new CompactEncrypt(Buffer.from(JSON.stringify(answer)))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: String(key.kid) })
    .encrypt(await importJWK(key, 'ECDH-ES'));
}

function library(key: SampleKey): SDJwtVcInstance {
  return new SDJwtVcInstance({
    signer: key.sign,
    signAlg: 'ES256',
    kbSigner: key.sign,
    kbSignAlg: 'ES256',
    hashAlg: 'sha-256',
    hasher: (data, algorithm) =>
      createHash(algorithm.replace('-', ''))
        .update(typeof data === 'string' ? data : Buffer.from(data))
        .digest(),
    saltGenerator: (length) => randomBytes(length).toString('base64url'),
  });
}

/** What the library leaves to a wallet. This one believes every verifier whose certificate is its name; a real one knows whom it believes. */
function callbacks(): ConstructorParameters<typeof Openid4vpClient>[0]['callbacks'] {
  const none = (): never => {
    throw new Error('a wallet that answers by direct_post.jwt does not need this');
  };
  return {
    fetch,
    hash: (data, algorithm) => createHash(algorithm.replace('-', '')).update(data).digest(),
    signJwt: none,
    decryptJwe: none,
    async encryptJwe({ publicJwk, enc }, data) {
      const jwe = await new CompactEncrypt(Buffer.from(data))
        .setProtectedHeader({ alg: 'ECDH-ES', enc, ...(publicJwk.kid !== undefined && { kid: publicJwk.kid }) })
        .encrypt(await importJWK(publicJwk as JWK, 'ECDH-ES'));
      return { encryptionJwk: publicJwk, jwe };
    },
    async verifyJwt(signer, { compact }) {
      if (signer.method !== 'x5c') return { verified: false };
      const certificate = new X509Certificate(Buffer.from(signer.x5c[0] ?? '', 'base64'));
      await compactVerify(compact, certificate.publicKey);
      const signerJwk = (await exportJWK(certificate.publicKey)) as { kty: string };
      return { verified: true, signerJwk };
    },
    getX509CertificateMetadata: () => ({ sanDnsNames: [], sanUriNames: [] }),
  };
}

export async function signToken({ sign }: SampleKey, header: object, payload: object): Promise<string> {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'ES256', ...header })}.${part(payload)}`;
  return `${signed}.${await sign(signed)}`;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 24 * 60 * 60 * 1000;

/** A throw-away certificate and key in PEM, by which a portal on this very machine signs its requests to wallets. */
export async function newSigner(): Promise<string> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Sample verifier',
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + 90 * dayMs),
    keys,
    signingAlgorithm: algorithm,
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return `${certificate.toString('pem')}\n-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`;
}
