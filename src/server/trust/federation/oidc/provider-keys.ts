import { createHmac, createPublicKey, type KeyObject } from 'node:crypto';
import { ExternalSigningKey, type Configuration } from 'oidc-provider';
import { isSameDigest } from '../../../platform/keys/random-secrets.ts';
import type { DerivedKeyVersion } from '../../../platform/keys/encryption-keys.ts';
import type { JwsSigner } from '../../../platform/keys/jws-signer.ts';
import type { Vault } from '../../../platform/keys/vault.ts';

export class OidcProviderKey extends ExternalSigningKey {
  readonly #signer: JwsSigner;
  constructor(signer: JwsSigner) {
    super();
    this.#signer = signer;
  }
  override get kid(): string | undefined {
    return this.#signer.publicJwk.kid;
  }
  override get alg(): string {
    return this.#signer.algorithm;
  }
  override keyObject(): KeyObject {
    return createPublicKey({ key: { ...this.#signer.publicJwk }, format: 'jwk' });
  }
  override sign(data: Uint8Array): Promise<Uint8Array> {
    return this.#signer.sign(data);
  }
}

/** Creates the signer of oidc-provider's cookies. Only the current key signs, but all keys verify. */
export function createCookieSigner(
  vault: Pick<Vault, 'listDerivedKeys'>,
): NonNullable<Configuration['cookies']>['keys'] {
  const signWith = (keys: DerivedKeyVersion['keys'], data: string): string =>
    createHmac('sha256', keys['oidc-cookies']).update(data).digest('base64url');
  const index = (data: string, digest: string): number =>
    vault.listDerivedKeys().findIndex(({ keys }) => isSameDigest(digest, signWith(keys, data)));
  return {
    sign: (data) => signWith(vault.listDerivedKeys()[0].keys, data),
    index,
    verify: (data, digest) => index(data, digest) >= 0,
  };
}
