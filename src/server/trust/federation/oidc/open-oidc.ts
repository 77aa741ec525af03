import type Provider from 'oidc-provider';
import { madeOfKeys, type SigningRing } from '../../../platform/keys/signing-keys.ts';
import type { Clients } from '../clients/clients.ts';
import type { Interactions, PendingRequest } from '../clients/pending-request.ts';
import { createSubjects } from './account.ts';
import { demandsSignIn } from './interaction-policy.ts';
import { createProvider, type OidcParts } from './provider.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { isLegacy, registeredScopes } from '../clients/client-metadata.ts';
import { acrRequest, requiredNid } from '../../identity/levels.ts';
import { requestedScopes } from '../clients/scopes.ts';

export interface Oidc {
  /** oidc-provider with the current keys. It reads keys only when it is created, so a key rotation creates a new one. It has no other state. */
  readonly provider: Provider;
  readonly handle: ReturnType<Provider['callback']>;
  readonly clients: Clients;
  readonly interactions: Interactions;
  readonly signing: Pick<SigningRing, 'now'>;
  /** Returns the `sub` of a citizen in the ID tokens of a client. */
  subjectFor(client: InstanceType<Provider['Client']>, citizenId: string): string;
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
    subjectFor: createSubjects(parts.keys.encryption.derived['oidc-pairwise']),
    interactions: createInteractions(() => current().provider, store),
  };
}

type Interaction = InstanceType<Provider['Interaction']>;

/** Maximum age of the sign-in in seconds. `null` if any age will do. oidc-provider has validated the parameters. */
function resolveMaxAge({ prompt, max_age: maxAge }: Interaction['params']): number | null {
  if (typeof prompt === 'string' && demandsSignIn(new Set(prompt.split(' ')))) return 0;
  return maxAge === undefined ? null : Number(maxAge);
}

/** Reads and completes the interactions of oidc-provider, which itself binds each to the browser that started it. */
function createInteractions(current: () => Provider, store: Store): Interactions {
  const load = (uid: string): Promise<Interaction | undefined> => current().Interaction.find(uid);
  const describe = async (interaction: Interaction): Promise<PendingRequest | null> => {
    const client = await current().Client.find(String(interaction.params['client_id']));
    return client === undefined
      ? null
      : {
          clientId: client.clientId,
          clientName: client.clientName ?? client.clientId,
          requiredNid: requiredNid(acrRequest(interaction.params)) ?? 0,
          maxAgeS: resolveMaxAge(interaction.params),
          next: new URL(interaction.returnTo).pathname,
          legacy: isLegacy(client),
        };
  };
  return {
    async find(processState) {
      const interaction = await load(processState);
      return interaction ? describe(interaction) : null;
    },
    async findConsent(processState, sessionId) {
      const interaction = await load(processState);
      if (interaction?.prompt.name !== 'consent' || interaction.session === undefined) return null;
      const asked = await store.db
        .selectFrom('broker_sessions')
        .select('id')
        .where('id', '=', sessionId)
        .where('oidc_uid', '=', interaction.session.uid)
        .executeTakeFirst();
      const request = asked && (await describe(interaction));
      const client = request && (await current().Client.find(request.clientId));
      if (!client) return null;
      const { scope, claims } = interaction.params;
      return { ...request, scopes: requestedScopes(scope, claims, registeredScopes(client)) };
    },
    async allow(processState) {
      const interaction = await load(processState);
      if (!interaction) return;
      interaction.result = { ...interaction.lastSubmission, consent: {} };
      await interaction.persist();
    },
    async refuse(processState) {
      const interaction = await load(processState);
      if (!interaction) return null;
      interaction.result = { error: 'access_denied', error_description: 'the citizen refused' };
      await interaction.persist();
      return describe(interaction);
    },
  };
}
