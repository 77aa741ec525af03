import type Provider from 'oidc-provider';
import type { Store } from '../../../platform/database/open-store.ts';
import { isLegacy, registeredScopes } from '../clients/client-metadata.ts';
import { acrRequest, requiredNid } from '../../identity/levels.ts';
import type { Interactions, PendingRequest } from '../clients/pending-request.ts';
import { requestedScopes } from '../clients/scopes.ts';

type Interaction = InstanceType<Provider['Interaction']>;

/** Maximum age of the sign-in in seconds. `null` if any age will do. oidc-provider has validated the parameters. */
function maxAgeOf({ prompt, max_age: maxAge }: Interaction['params']): number | null {
  if (typeof prompt === 'string' && prompt.split(' ').includes('login')) return 0;
  return maxAge === undefined ? null : Number(maxAge);
}

/** Reads and completes the interactions of oidc-provider, which itself binds each to the browser that started it. */
export function createInteractions(current: () => Provider, store: Store): Interactions {
  const load = (uid: string): Promise<Interaction | undefined> => current().Interaction.find(uid);
  const describe = async (interaction: Interaction): Promise<PendingRequest | null> => {
    const client = await current().Client.find(String(interaction.params['client_id']));
    return client === undefined
      ? null
      : {
          clientId: client.clientId,
          clientName: client.clientName ?? client.clientId,
          requiredNid: requiredNid(acrRequest(interaction.params)) ?? 0,
          maxAgeS: maxAgeOf(interaction.params),
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
