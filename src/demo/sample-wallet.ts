import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import {
  CompactEncrypt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  jwtVerify,
  type JWK,
} from 'jose';
import type { WalletIssuer } from '../server/trust/federation/wallet/wallet-verifier.ts';

export interface SampleSigningKey {
  readonly publicJwk: JWK;
  readonly sign: (data: string) => Promise<string>;
}

export interface SampleCredentialIssuer {
  readonly key: SampleSigningKey;
  readonly entry: WalletIssuer;
}

export async function createSampleSigningKey(): Promise<SampleSigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
  const sign = async (data: string): Promise<string> =>
    Buffer.from(await crypto.subtle.sign(algorithm, privateKey, Buffer.from(data))).toString('base64url');
  return { publicJwk: await exportJWK(publicKey), sign };
}

export async function createSampleCredentialIssuer(entry: Omit<WalletIssuer, 'keys'>): Promise<SampleCredentialIssuer> {
  const key = await createSampleSigningKey();
  return { key, entry: { ...entry, keys: [key.publicJwk as WalletIssuer['keys'][number]] } }; // the key is P-256, but the type of `publicJwk` is a general JWK
}

/** Issues a credential (SD-JWT VC) for a document number. `changes` overrides claims. `undefined` removes a claim. */
export async function issueSampleCredential(
  { key, entry }: SampleCredentialIssuer,
  {
    number,
    holder,
    changes = {},
  }: { number: string; holder: SampleSigningKey; changes?: Readonly<Record<string, unknown>> },
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const subject = { personal_administrative_number: number, given_name: 'Ana', cnf: { jwk: holder.publicJwk } };
  const claims = { iss: entry.issuer, vct: entry.types[0] ?? '', iat: now, exp: now + 3_600, ...subject, ...changes };
  const payload = JSON.parse(JSON.stringify(claims)) as typeof claims; // removes undefined claims, which JSON does not contain
  return createSdJwt(key).issue(payload, { _sd: ['personal_administrative_number', 'given_name'] });
}

/** Creates a presentation that discloses `claims`. Omits the key-binding JWT if `keyBinding` is `null`. */
export function createCredentialPresentation(
  credential: string,
  holder: SampleSigningKey,
  keyBinding: { readonly aud: string; readonly nonce: string; readonly iat?: number } | null,
  claims: Readonly<Record<string, boolean>> = { personal_administrative_number: true },
): Promise<string> {
  const kb = keyBinding && { payload: { iat: Math.floor(Date.now() / 1000), ...keyBinding } };
  return createSdJwt(holder).present(credential, claims, kb ? { kb } : undefined);
}

interface PresentationRequest extends Readonly<Record<'client_id' | 'nonce' | 'state' | 'response_uri', string>> {
  readonly client_metadata: { readonly jwks: { readonly keys: readonly [JWK] } };
}

/** Responds to the presentation request of a wallet link (OpenID4VP, direct_post.jwt). Unlike a real wallet, trusts every verifier. */
export async function answerPresentationLink(
  link: string,
  { credential, holder }: { credential: string; holder: SampleSigningKey },
): Promise<{ readonly redirect_uri?: string }> {
  const { searchParams } = new URL(link);
  const jwt = await (await fetch(searchParams.get('request_uri') ?? '')).text();
  const verifier = new X509Certificate(Buffer.from(decodeProtectedHeader(jwt).x5c?.[0] ?? '', 'base64'));
  const { payload: request } = await jwtVerify<PresentationRequest>(jwt, verifier.publicKey);
  if (request.client_id !== searchParams.get('client_id'))
    throw new Error('The client_id of the request does not match.');
  const token = await createCredentialPresentation(credential, holder, {
    aud: request.client_id,
    nonce: request.nonce,
  });
  const [key] = request.client_metadata.jwks.keys;
  const response = await encryptWalletResponse({ vp_token: { identidad: [token] } }, key);
  const answer = await fetch(request.response_uri, { method: 'POST', body: new URLSearchParams({ response }) });
  if (!answer.ok) throw new Error(`The portal answers ${answer.status}.`);
  return (await answer.json()) as { redirect_uri?: string };
}

export async function encryptWalletResponse(answer: object, key: JWK): Promise<string> {
  return new CompactEncrypt(Buffer.from(JSON.stringify(answer)))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: String(key.kid) })
    .encrypt(await importJWK(key, 'ECDH-ES'));
}

function createSdJwt({ sign }: SampleSigningKey): SDJwtVcInstance {
  return new SDJwtVcInstance({
    ...{ signer: sign, signAlg: 'ES256', kbSigner: sign, kbSignAlg: 'ES256', hashAlg: 'sha-256' },
    hasher: (data) =>
      createHash('sha256')
        .update(new Uint8Array(Buffer.from(data as string)))
        .digest(),
    saltGenerator: (length) => randomBytes(length).toString('base64url'),
  });
}
