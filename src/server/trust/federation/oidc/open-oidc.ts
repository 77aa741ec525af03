import type Provider from 'oidc-provider';
import type { Keys } from '../../../platform/keys/load-keys.ts';
import type { Clients } from '../clients/clients.ts';
import type { Interactions } from '../clients/pending-request.ts';
import { createInteractions } from './interactions.ts';
import { createProvider, type OidcParts } from './provider.ts';

/** The OIDC provider and what the rest of the broker needs of it. */
export interface Oidc {
  readonly provider: Provider;
  readonly clients: Clients;
  readonly interactions: Interactions;
  readonly keys: Keys;
}

/** Puts the provider together. */
export async function openOidc(parts: OidcParts): Promise<Oidc> {
  const provider = await createProvider(parts);
  return {
    provider,
    clients: parts.clients,
    keys: parts.keys,
    interactions: createInteractions(provider, parts.store),
  };
}
