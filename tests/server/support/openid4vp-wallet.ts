import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { setGlobalConfig } from '@openid4vc/oauth2';
import { Openid4vpClient } from '@openid4vc/openid4vp';
import { CompactEncrypt, compactVerify, exportJWK, importJWK, type JWK } from 'jose';
import { createCredentialPresentation, type SampleSigningKey } from '../../../src/demo/sample-wallet.ts';

/**
 * Responds to a wallet request like the demo wallet. Uses an independent OpenID4VP implementation, which validates the
 * request.
 */
export async function answerPresentationLink(
  link: string,
  { credential, holder }: { credential: string; holder: SampleSigningKey },
): Promise<{ readonly redirect_uri?: string }> {
  setGlobalConfig({ allowInsecureUrls: true }); // the portal under test uses HTTP
  const client = new Openid4vpClient({ callbacks });
  const { params } = client.parseOpenid4vpAuthorizationRequest({ authorizationRequest: link });
  const { authorizationRequestPayload } = await client.resolveOpenId4vpAuthorizationRequest({
    authorizationRequestPayload: params,
  });
  const { client_id: aud = '', nonce } = authorizationRequestPayload;
  const answer = await client.createOpenid4vpAuthorizationResponse({
    authorizationRequestPayload,
    authorizationResponsePayload: {
      vp_token: { identidad: [await createCredentialPresentation(credential, holder, { aud, nonce })] },
    },
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
    authorizationRequestPayload: authorizationRequestPayload as { response_uri: string },
    authorizationResponsePayload: answer.authorizationResponsePayload,
    ...(answer.jarm && { jarm: answer.jarm }),
  });
  if (!response.ok) throw new Error(`the portal answers ${response.status}`);
  return (await response.json()) as { redirect_uri?: string };
}

const none = (): never => {
  throw new Error('direct_post.jwt does not need this');
};

const callbacks: ConstructorParameters<typeof Openid4vpClient>[0]['callbacks'] = {
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
    const { publicKey } = new X509Certificate(Buffer.from(signer.x5c[0] ?? '', 'base64'));
    await compactVerify(compact, publicKey);
    return { verified: true, signerJwk: (await exportJWK(publicKey)) as { kty: string } };
  },
  getX509CertificateMetadata: () => ({ sanDnsNames: [], sanUriNames: [] }),
};
