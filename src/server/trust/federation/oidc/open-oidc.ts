import type Provider from 'oidc-provider';
import { madeOfKeys, type SigningRing } from '../../../platform/keys/signing-keys.ts';
import type { Clients } from '../clients/clients.ts';
import type { Interactions } from '../clients/pending-request.ts';
import { createInteractions } from './interactions.ts';
import { createProvider, type OidcParts } from './provider.ts';

export interface Oidc {
  /** oidc-provider with the current keys. It reads keys only when it is created, so a key rotation creates a new one. It has no other state. */
  readonly provider: Provider;
  readonly handle: ReturnType<Provider['callback']>;
  readonly clients: Clients;
  readonly interactions: Interactions;
  readonly signing: Pick<SigningRing, 'now'>;
}

export function openOidc(parts: OidcParts & { readonly signing: SigningRing }): Oidc {
  const { clients, signing, store } = parts;
  const current = madeOfKeys(signing.now, (keys) => {
    const provider = createProvider(parts, keys);
    return { provider, handle: provider.callback() };
  });
  current(); // makes an invalid configuration fail at startup
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
