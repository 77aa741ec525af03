import type { Clock } from '../../../platform/base/clock.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import type { Keys } from '../../../platform/keys/load-keys.ts';
import { madeOfKeys, type SigningKeys, type SigningRing } from '../../../platform/keys/signing-keys.ts';
import { issueCredential } from './own-certificate.ts';
import { createSamlRequests, type SamlRequests } from './requests.ts';
import { createServiceProviders, fixedServiceProviders, type ServiceProviders } from './service-providers.ts';
import type { Credentials, SigningCredential } from './signature.ts';
import { testProvider } from './test-provider.ts';

export interface Saml {
  readonly providers: ServiceProviders;
  readonly requests: SamlRequests;
  /** Credentials of the signing keys. The first signs, and all of them are in the metadata. */
  readonly credentials: Credentials;
  /** Creates the credentials of keys before they are used to sign or verify. */
  prepare(keys: SigningKeys): Promise<void>;
  /** HMAC key of persistent NameIDs, which differ for each service provider. */
  readonly pairwiseKey: Buffer;
}

/** Creates the SAML identity provider. It signs with the same keys as the OpenID Provider. */
export async function openSaml({
  store,
  clock,
  keys,
  signing,
  baseUrl,
  file,
  test,
}: {
  store: Store;
  clock: Clock;
  keys: Pick<Keys, 'encryption'>;
  signing: SigningRing;
  baseUrl: string;
  /** See `fixedServiceProviders`. */
  file: string | null;
  test: boolean;
}): Promise<Saml> {
  const name = new URL(baseUrl).hostname.replace(/[^A-Za-z0-9.-]/g, '');
  const made = new Map<string, SigningCredential>();
  const prepare: Saml['prepare'] = async (read) => {
    for (const key of read) if (!made.has(key.kid)) made.set(key.kid, await issueCredential(key, name));
  };
  await prepare(signing.now());
  const credentials = madeOfKeys(signing.now, ([first, ...others]) => {
    const of = ({ kid }: { readonly kid: string }): SigningCredential => {
      const credential = made.get(kid);
      if (credential === undefined) throw new Error(`there is no certificate of the key ${kid}`);
      return credential;
    };
    return [of(first), ...others.map(of)] as const;
  });
  const providers = createServiceProviders(store, [
    ...(await fixedServiceProviders(file)),
    ...(test ? [testProvider(baseUrl, credentials)] : []),
  ]);
  return {
    providers,
    requests: createSamlRequests({ store, clock, providers }),
    credentials,
    prepare,
    pairwiseKey: keys.encryption.derived['saml-pairwise'],
  };
}
