import type { ReplyHandler } from '../handler-context.ts';
import { buildHref } from '../../../contract/build-href.ts';
import { pagePaths } from '../../../contract/page-paths.ts';
import { OperationError, copyRefusalLogFacts } from '../../platform/base/errors.ts';
import { linkIdentity } from '../../trust/federation/upstream/provider-identities.ts';
import {
  recordIdentityLinkDecision,
  type PendingIdentityLink,
} from '../../trust/federation/upstream/provider-sign-ins.ts';
import { findCitizenByDocument, formatFullName, toNameColumns } from '../../trust/identity/citizens.ts';
import { hasUndoneCredentialChangeSince } from '../../trust/notices/credential-changes.ts';
import { createSignInExpiredError } from '../../trust/sessions/sign-in-record.ts';
import {
  assertPersonMatchesRegistry,
  assertCanLinkProvider,
  startProviderSession,
  findAuthorizationRequest,
  type ProviderSignInDependencies,
} from './provider-endpoints.ts';
import { handleProviderFailure, ProviderUserRejectedError } from './provider-failure.ts';

export const getProviderLink: ReplyHandler<'getProviderLink'> = async (dependencies, { cookies }) => {
  const waiting = await dependencies.upstreams.signIns.findPendingLink(cookies.saml);
  if (waiting === null) throw new OperationError(404, 'no_encontrado');
  const { person, document } = waiting.arrived;
  const nombre = formatFullName(toNameColumns(person));
  const { nombre: proveedor } = findProviderEntry(dependencies, waiting);
  return { body: { pregunta: waiting.hash, proveedor, nombre, documento: document.number } };
};

/**
 * Links an account to the identity provider: only the account with the document that the provider asserted, and only if the person still matches the
 * registry.
 */
export const answerProviderLink: ReplyHandler<'answerProviderLink'> = async (
  dependencies,
  { body, cookies, origin },
) => {
  const { commands, upstreams, store } = dependencies;
  const waiting = await upstreams.signIns.findPendingLink(cookies.saml, body.pregunta);
  if (waiting === null) throw createSignInExpiredError();
  if (!body.vincular) {
    await commands.run(origin, async ({ tx, now }) => void (await recordIdentityLinkDecision(tx, waiting.hash, now)));
    const { process_state } = waiting;
    return { body: { location: buildHref(pagePaths.login, { process_state }), next: null } };
  }
  const { arrived, provider: idp } = waiting;
  try {
    const entry = findProviderEntry(dependencies, waiting);
    const owner = await findCitizenByDocument(store.db, arrived.document);
    if (owner === null) throw createSignInExpiredError();
    await assertPersonMatchesRegistry(dependencies, arrived, owner.id);
    const interaction = await findAuthorizationRequest(dependencies, waiting);
    const step = await commands.run(origin, async (command) => {
      const { tx, now } = command;
      await tx.selectFrom('citizens').select('id').where('id', '=', owner.id).forUpdate().execute(); // waits for a concurrent disavowal ("No fui yo") of the same account
      if (await hasUndoneCredentialChangeSince(tx, owner.id, waiting.since)) throw createSignInExpiredError();
      await assertCanLinkProvider(tx, cookies, { id: owner.id, arrived, now });
      if (!(await recordIdentityLinkDecision(tx, waiting.hash, now))) throw createSignInExpiredError();
      const linked = await linkIdentity(tx, arrived, { citizenId: owner.id, now });
      if (linked.citizenId !== owner.id) throw new ProviderUserRejectedError('linked-elsewhere', owner.id);
      if (linked.isNew) {
        await command.notify('provider-linked', owner, { sessionId: null, values: { provider: entry.nombre } });
        await command.audit('provider-linked', owner.id, { idp });
      }
      const entering = { id: owner.id, entry, arrived, destination: waiting, cookies, interaction };
      return startProviderSession(dependencies, command, entering);
    });
    return {
      body: { location: step.next === undefined ? step.location : null, next: step.next ?? null },
      ...(step.cookies !== undefined && { cookies: step.cookies }),
      ...(step.after !== undefined && { after: step.after }),
    };
  } catch (error) {
    const client = (await findAuthorizationRequest(dependencies, waiting))?.clientId;
    const failed = await handleProviderFailure(dependencies, error, { idp, destination: waiting, origin, client });
    return copyRefusalLogFacts(failed, { body: { location: failed.location, next: null } });
  }
};

function findProviderEntry({ upstreams }: ProviderSignInDependencies, { provider }: PendingIdentityLink) {
  const upstream = upstreams.find(provider);
  if (upstream === null) throw createSignInExpiredError();
  return upstream.entry;
}
