import { permits } from '../../../contract/access.ts';
import { deskActions, deskResource } from '../../../contract/desk.ts';
import { after, type Clock } from '../../platform/base/clock.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { agentAssurance } from '../identity/agent-mailboxes.ts';
import { resolvePermissions } from '../identity/permissions.ts';
import type { Tokens } from './tokens.ts';
import {
  knownSessionOfCookie,
  seenEveryS,
  seeSession,
  sessionById,
  sessionOfCookie,
  type Session,
} from './sessions.ts';

/**
 * Resolves a bearer token to its caller. Reads the session at each operation, so that logout and block take effect at once. Operations that are not
 * `passive` restart the idle timeout.
 */
export async function authenticate(
  {
    tokens,
    store,
    clock,
    config,
  }: { tokens: Tokens; store: Store; clock: Clock; config: Pick<Config, 'citizenPermissions' | 'loopback'> },
  token: string,
  passive = false,
): Promise<Caller | null> {
  const id = await tokens.read(token);
  if (id === null) return null;
  const now = clock.now();
  const session = await sessionById(store.db, id, now);
  if (session === null) return null;
  if (!passive && after(session.seenAt, seenEveryS) < now) await seeSession(store.db, session.id, now);
  return {
    citizenId: session.citizenId,
    document: session.document,
    sessionId: session.id,
    role: session.role,
    permisos: resolvePermissions(config, session),
    restricted: session.restricted,
    factorDue: session.factorDue,
    passkeyDue:
      session.role === 'agent' &&
      !session.phishingResistant &&
      agentAssurance(config, session.agentHasPasskey) === 'passkey',
    nid: session.nid,
  };
}

/** Whether the cookie belongs to a live session of an agent with a permission of the desk. For everybody else, the desk's pages do not exist. */
export async function isDeskSession(
  { store, clock, config }: { store: Store; clock: Clock; config: Pick<Config, 'citizenPermissions'> },
  cookie: string | undefined,
): Promise<boolean> {
  return isOfDesk(config, await sessionOfCookie(store.db, cookie, clock.now()));
}

/**
 * Whether the cookie belongs to a live or ended session of an agent with a permission of the desk. A browser whose session has ended is redirected
 * to the sign-in. Everybody else gets no hint that the desk exists.
 */
export async function wasDeskSession(
  { store, config }: { store: Store; config: Pick<Config, 'citizenPermissions'> },
  cookie: string | undefined,
): Promise<boolean> {
  return isOfDesk(config, await knownSessionOfCookie(store.db, cookie));
}

function isOfDesk(config: Pick<Config, 'citizenPermissions'>, session: Session | null): boolean {
  if (session?.role !== 'agent') return false;
  const permisos = resolvePermissions(config, session);
  return permits(
    permisos,
    deskActions.map((action) => [deskResource, action] as const),
  );
}
