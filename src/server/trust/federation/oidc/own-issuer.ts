import { decodeJwt, SignJWT } from 'jose';
import type Provider from 'oidc-provider';
import type { SigningKey } from '../../../platform/keys/signing-keys.ts';

interface IssuedTokens {
  issue(
    this: { readonly client: { readonly [name: string]: unknown } },
    options: { readonly use: string },
  ): Promise<string>;
}

/**
 * Gives the ID tokens of some clients another `iss`: some applications written for ID Uruguay compare it with a URL below the issuer. The other
 * claims and the signing key stay the same.
 */
export function signForOwnIssuers(provider: Provider, key: SigningKey): void {
  const prototype = provider.IdToken.prototype as unknown as IssuedTokens; // the types omit `issue`
  const { issue } = prototype;
  prototype.issue = async function issueFor(options) {
    const token = await issue.call(this, options);
    const issuer = this.client['own_issuer'];
    if (typeof issuer !== 'string' || options.use !== 'idtoken') return token;
    return new SignJWT({ ...decodeJwt(token), iss: issuer })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key.kid })
      .sign(key.privateKey);
  };
}
