import type { Clock } from '../../../platform/base/clock.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import type { Keys } from '../../../platform/keys/load-keys.ts';
import { credentialOf } from './own-certificate.ts';
import { createSamlRequests, type SamlRequests } from './requests.ts';
import { createServiceProviders, fixedServiceProviders, type ServiceProviders } from './service-providers.ts';
import type { SigningCredential } from './signature.ts';
import { testProvider } from './test-provider.ts';

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
  test,
}: {
  store: Store;
  clock: Clock;
  keys: Keys;
  baseUrl: string;
  /** See `fixedServiceProviders`. */
  file: string | null;
  /** Whether the test application is one of the service providers. */
  test: boolean;
}): Promise<Saml> {
  const name = new URL(baseUrl).hostname.replace(/[^A-Za-z0-9.-]/g, '');
  const [first, ...others] = keys.signing;
  const credentials = [
    await credentialOf(first, name),
    ...(await Promise.all(others.map((key) => credentialOf(key, name)))),
  ] as const;
  const providers = createServiceProviders(store, [
    ...(await fixedServiceProviders(file)),
    ...(test ? [testProvider(baseUrl, credentials)] : []),
  ]);
  return {
    providers,
    requests: createSamlRequests({ store, clock, providers }),
    credentials,
    pairwiseKey: keys.encryption.derived['saml-pairwise'],
  };
}
