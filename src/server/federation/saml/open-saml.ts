import { createHmac } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../database/open-store.ts';
import type { Keys } from '../../keys/load-keys.ts';
import { credentialOf } from './own-certificate.ts';
import { createSamlRequests, type SamlRequests } from './requests.ts';
import { createServiceProviders, fixedServiceProviders, type ServiceProviders } from './service-providers.ts';
import type { SigningCredential } from './signature.ts';

/** The SAML provider's parts. */
export interface Saml {
  readonly providers: ServiceProviders;
  readonly requests: SamlRequests;
  /** The first signs, all of them stand in the metadata. */
  readonly credentials: readonly [SigningCredential, ...SigningCredential[]];
  /** Behind the names of citizens that no two service providers share. */
  readonly pairwiseKey: Buffer;
}

/** Puts the provider together: it signs by the keys of the tokens. */
export async function openSaml({
  store,
  clock,
  keys,
  baseUrl,
  file,
}: {
  store: Store;
  clock: Clock;
  keys: Keys;
  baseUrl: string;
  /** See `fixedServiceProviders`. */
  file: string | null;
}): Promise<Saml> {
  const providers = createServiceProviders(store, await fixedServiceProviders(file));
  const name = new URL(baseUrl).hostname.replace(/[^A-Za-z0-9.-]/g, '');
  const [first, ...others] = keys.signing;
  return {
    providers,
    requests: createSamlRequests({ store, clock, providers }),
    credentials: [
      await credentialOf(first, name),
      ...(await Promise.all(others.map((key) => credentialOf(key, name)))),
    ],
    pairwiseKey: createHmac('sha256', keys.encryption).update('saml-pairwise').digest(),
  };
}
