import type Provider from 'oidc-provider';
import { madeOfKeys, type SigningRing } from '../../../platform/keys/signing-keys.ts';
import type { Clients } from '../clients/clients.ts';
import type { Interactions } from '../clients/pending-request.ts';
import { createInteractions } from './interactions.ts';
import { createProvider, type OidcParts } from './provider.ts';

/** The OIDC provider and what the rest of the broker needs of it. */
export interface Oidc {
  /** The provider with the keys of now: the library takes keys at its start alone, and holds nothing else of its own. */
  readonly provider: Provider;
  /** Answers a request at one of its addresses. */
  readonly handle: ReturnType<Provider['callback']>;
  readonly clients: Clients;
  readonly interactions: Interactions;
  readonly signing: Pick<SigningRing, 'now'>;
}

/** Puts the provider together. */
export function openOidc(parts: OidcParts & { readonly signing: SigningRing }): Oidc {
  const { clients, signing, store } = parts;
  const current = madeOfKeys(signing.now, (keys) => {
    const provider = createProvider(parts, keys);
    return { provider, handle: provider.callback() };
  });
  current(); // what is wrong with the configuration ends the start
  return {
    get provider() {
      return current().provider;
    },
    handle: (request, response) => current().handle(request, response),
    clients,
    signing,
    interactions: createInteractions(() => current().provider, store),
  };
}
