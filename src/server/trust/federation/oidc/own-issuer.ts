import { decodeJwt, SignJWT } from 'jose';
import type Provider from 'oidc-provider';
import type { SigningKey } from '../../../platform/keys/signing-keys.ts';

/** What the provider's tokens do that its types do not tell. */
interface IssuedTokens {
  issue(
    this: { readonly client: { readonly [name: string]: unknown } },
    options: { readonly use: string },
  ): Promise<string>;
}

/**
 * Lets the ID Tokens of single applications carry another `iss`: some that were written for ID Uruguay compare it with an
 * address below the issuer. The claims stay, the same key signs.
 */
export function signForOwnIssuers(provider: Provider, key: SigningKey): void {
  const prototype = provider.IdToken.prototype as unknown as IssuedTokens; // its `issue` is missing in the types
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
