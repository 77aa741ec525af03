import type Provider from 'oidc-provider';
import { errors, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { buildHref } from '../../../../contract/build-href.ts';
import { pagePaths, proofingPagePath, redirectOnlyPagePaths } from '../../../../contract/page-paths.ts';
import type { Clock } from '../../../platform/base/clock.ts';
import { OperationError } from '../../../platform/base/errors.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import type { AttemptThrottle } from '../../abuse/attempt-throttle.ts';
import { readAcrRequest, findRequiredSessionLevel } from '../../identity/assurance-levels.ts';
import { isLegacyClient, listRegisteredScopes } from '../clients/client-registration.ts';
import {
  federationAttemptLimits,
  type PendingRequestStore,
  type PendingAuthenticationRequest,
} from '../clients/pending-request.ts';
import { listClaimsOfScopes, selectRequestedScopes } from '../clients/scopes.ts';
import type { ComputeSubjectIdentifier } from './account-claims.ts';
import { closingPromptReason, createPromptPolicy, proofingPromptReason, requiresNewSignIn } from './prompt-policy.ts';

type Interaction = InstanceType<Provider['Interaction']>;

interface InteractionParts {
  readonly clock: Clock;
  readonly throttle: AttemptThrottle;
  readonly subjectFor: ComputeSubjectIdentifier;
}

export function createInteractionSettings(parts: InteractionParts): NonNullable<Configuration['interactions']> {
  return {
    policy: createPromptPolicy(parts.subjectFor),
    async url(ctx, interaction) {
      await admitRequest(parts, ctx, interaction);
      if (interaction.prompt.name === 'login') await allowOtherSession(interaction);
      return buildPromptUrl(interaction, listRegisteredScopes(ctx.oidc.client ?? {}));
    },
  };
}

/** Limits the number of pending requests. Above the limit, discards the interaction, and the application gets `temporarily_unavailable`. */
async function admitRequest({ throttle, clock }: InteractionParts, ctx: KoaContextWithOIDC, interaction: Interaction) {
  try {
    await throttle.admit(federationAttemptLimits.request, { address: ctx.ip }, clock.now());
  } catch (error) {
    await interaction.destroy();
    if (!(error instanceof OperationError)) throw error;
    throw new errors.TemporarilyUnavailable('too many requests wait for their citizen');
  }
}

/** Allows another session to resume an interaction. By default, oidc-provider resumes it only in the session in which it began. */
async function allowOtherSession(interaction: Interaction): Promise<void> {
  if (interaction.session === undefined) return;
  delete interaction.session;
  await interaction.persist();
}

/** Returns the URL of the page for a prompt. `process_state` is the last parameter, where clients without a browser expect it. */
function buildPromptUrl({ uid, prompt, params, returnTo }: Interaction, registered: readonly string[]): string {
  if (prompt.reasons.includes(proofingPromptReason)) return proofingPagePath;
  if (prompt.reasons.every((reason) => reason === closingPromptReason))
    return buildHref(redirectOnlyPagePaths.keepAccount, { next: new URL(returnTo).pathname });
  if (prompt.name !== 'consent') return buildHref(pagePaths.login, { process_state: uid });
  const scope = selectRequestedScopes(params['scope'], params['claims'], registered).join(' ');
  return buildHref(redirectOnlyPagePaths.consent, { client_id: String(params['client_id']), scope, next: uid });
}

/** Returns the maximum age of the sign-in in seconds. Returns `null` if any age is accepted. oidc-provider has validated the parameters. */
function resolveMaxAge({ prompt, max_age: maxAge }: Interaction['params']): number | null {
  if (typeof prompt === 'string' && requiresNewSignIn(new Set(prompt.split(' ')))) return 0;
  return maxAge === undefined ? null : Number(maxAge);
}

/**
 * Returns the scopes for which the page prompted, as stored with the interaction. Scopes that lack consent now may include some that were withdrawn
 * after the page was displayed. Always includes `openid`, because the entire consent may have been withdrawn.
 */
function listPromptedScopes({ prompt: { reasons, details } }: Interaction, requested: readonly string[]) {
  if (reasons.some((reason) => !reason.endsWith('_missing'))) return requested;
  const {
    missingOIDCScope = [],
    missingOIDCClaims = [],
    missingResourceScopes = {},
  } = details as {
    readonly missingOIDCScope?: readonly string[];
    readonly missingOIDCClaims?: readonly string[];
    readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>;
  };
  const scopes = new Set(['openid', ...missingOIDCScope, ...Object.values(missingResourceScopes).flat()]);
  const claims = new Set(missingOIDCClaims);
  return requested.filter((name) => scopes.has(name) || listClaimsOfScopes([name]).some((claim) => claims.has(claim)));
}

export function createInteractionRequestStore(current: () => Provider, store: DatabaseStore): PendingRequestStore {
  const load = (uid: string): Promise<Interaction | undefined> => current().Interaction.find(uid);
  const describe = async (interaction: Interaction): Promise<PendingAuthenticationRequest | null> => {
    const client = await current().Client.find(String(interaction.params['client_id']));
    return client === undefined
      ? null
      : {
          clientId: client.clientId,
          clientName: client.clientName ?? client.clientId,
          requiredNid: findRequiredSessionLevel(readAcrRequest(interaction.params)) ?? 0,
          maxAgeS: resolveMaxAge(interaction.params),
          resumePath: new URL(interaction.returnTo).pathname,
          legacy: isLegacyClient(client),
        };
  };
  return {
    async findRequest(processState) {
      const interaction = await load(processState);
      return interaction ? describe(interaction) : null;
    },
    async findRequestAwaitingConsent(processState, sessionId) {
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
      const requested = selectRequestedScopes(scope, claims, listRegisteredScopes(client));
      return { ...request, scopes: listPromptedScopes(interaction, requested) };
    },
    async recordConsent(processState) {
      const interaction = await load(processState);
      if (!interaction) return;
      interaction.result = { ...interaction.lastSubmission, consent: {} };
      await interaction.persist();
    },
    async recordRefusal(processState) {
      const interaction = await load(processState);
      if (!interaction) return null;
      interaction.result = { error: 'access_denied', error_description: 'the citizen refused' };
      await interaction.persist();
      return describe(interaction);
    },
  };
}
