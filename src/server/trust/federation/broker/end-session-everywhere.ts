import type { SamlDependencies } from '../saml/single-sign-on.ts';
import { buildSamlRedirectUrl } from '../saml/bindings.ts';
import { buildSamlLogoutEnvelope, startLogoutChain, type LogoutCompletion } from '../saml/logout-chain.ts';
import {
  writeLogoutRequest,
  type SamlSessionParticipant,
  deleteSamlParticipantsOfSessions,
} from '../saml/logout-messages.ts';
import { selectSigningCredential } from '../saml/xml-signature.ts';
import type { ChangeOrigin } from '../../../platform/base/change-origin.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import type { DatabaseCommandRunner } from '../../notices/database-commands.ts';
import { revokeSession, type SessionReference } from '../../sessions/revoke-sessions.ts';
import type { NotifySessionEnds } from '../../sessions/session-ends.ts';
import type { OidcProvider } from '../oidc/open-oidc.ts';
import {
  listOidcSessionClients,
  listApplicationsOfEndedSessions,
  buildFrontchannelUrl,
} from '../oidc/link-oidc-sessions.ts';
import type { Config } from '../../../platform/config/config.ts';
import { generateSecret } from '../../../platform/keys/random-secrets.ts';

export interface LogoutDependencies extends SamlDependencies {
  readonly config: Pick<Config, 'baseUrl' | 'flags'>;
  readonly commands: DatabaseCommandRunner;
  readonly oidc: OidcProvider;
  readonly vault: Vault;
  readonly notifyEnds: NotifySessionEnds;
}

/**
 * Ends the broker session first, so that the citizen is signed out here even if an application fails. Returns the front-channel logout URLs for
 * hidden frames, the names of the applications that back-channel logout did not reach, and `through`: the path, with its cookie value, at which the
 * browser notifies SAML service providers. `exceptParticipant` is the service provider that requested the logout.
 */
export async function endSessionEverywhere(
  dependencies: LogoutDependencies,
  logout: {
    which: SessionReference | null;
    origin: ChangeOrigin;
    end: LogoutCompletion;
    browser?: string | undefined;
    exceptParticipant?: string | null;
  },
) {
  const { oidc, notifyEnds, config } = dependencies;
  const { which, origin, end, browser = generateSecret(), exceptParticipant = null } = logout;
  const ended = which && (await endSession(dependencies, which, origin));
  if (ended === null) return { frames: [], unreachable: [], through: null };
  const clients = await listOidcSessionClients(oidc.provider, ended.sessions);
  const frames = clients
    .map((client) => buildFrontchannelUrl(client, oidc.provider.issuer))
    .filter((url) => url !== null);
  const unreachable = await notifyEnds([ended.id]);
  const participantsToNotify = ended.participants.filter(({ provider }) => provider !== exceptParticipant);
  if (participantsToNotify.length === 0) return { frames, unreachable, through: null };
  const inFrames = config.flags.slo_saml
    ? { frames: [], failed: [], participants: participantsToNotify }
    : await buildLogoutFrames(dependencies, participantsToNotify);
  const begun = { end, browser, ...inFrames, frames: [...frames, ...inFrames.frames] };
  return { frames, unreachable, through: { path: await startLogoutChain(dependencies, begun), browser } };
}

async function endSession({ commands, vault }: LogoutDependencies, which: SessionReference, origin: ChangeOrigin) {
  return commands.run(origin, async ({ tx, now, identifyCitizen }) => {
    const ended = await revokeSession(tx, which, now);
    if (ended === null) return null;
    await identifyCitizen(ended.citizenId).audit('logout', ended.citizenId);
    const sessions = await listApplicationsOfEndedSessions(tx, vault, [ended]);
    return { id: ended.id, sessions, participants: await deleteSamlParticipantsOfSessions(tx, [ended.id]) };
  });
}

/**
 * Logout in hidden frames, used while the feature flag `slo_saml` is off (section 2.3 of the specification). Browsers send few cookies to frames of
 * other sites, so only service providers that look the session up by its SessionIndex sign out.
 */
async function buildLogoutFrames(dependencies: SamlDependencies, participants: readonly SamlSessionParticipant[]) {
  const addressed = await Promise.all(
    participants.map(async (participant) => ({ participant, url: await buildLogoutUrl(dependencies, participant) })),
  );
  return {
    frames: addressed.flatMap(({ url }) => url ?? []),
    failed: addressed.flatMap(({ participant, url }) => (url === null ? [] : participant.provider)), // counted as failed, because a frame does not show whether the request arrived
    participants: addressed.flatMap(({ participant, url }) => (url === null ? participant : [])), // these service providers support only the POST binding, which the URL of a frame cannot use
  };
}

async function buildLogoutUrl(dependencies: SamlDependencies, participant: SamlSessionParticipant) {
  const provider = await dependencies.saml.providers.findCurrent(participant.provider, dependencies.clock.now());
  const service = provider?.metadata.logout ?? null;
  if (provider === null || service?.binding !== 'redirect') return null;
  const { xml } = writeLogoutRequest(buildSamlLogoutEnvelope(dependencies, provider, service.location), participant);
  const credential = selectSigningCredential(dependencies.saml.credentials(), provider);
  return buildSamlRedirectUrl(service.location, { name: 'SAMLRequest', xml }, credential);
}
