import { permits } from '../../../contract/access.ts';
import { deskActions, deskResource } from '../../../contract/desk.ts';
import { after, type Clock } from '../../platform/base/clock.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { agentAssurance } from '../identity/agent-assurance.ts';
import { permissionsOf } from '../identity/permissions.ts';
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
 * Who a bearer token stands for: asked of the session's record at each operation, so that logout and block act at once. An operation that is
 * not `passive` counts as a sight of the citizen.
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
    permisos: permissionsOf(config, session),
    restricted: session.restricted,
    factorDue: session.factorDue,
    passkeyDue:
      session.role === 'agent' &&
      !session.phishingResistant &&
      agentAssurance(config, session.agentHasPasskey) === 'passkey',
    nid: session.nid,
  };
}

/** Whether the session of a cookie is an agent's who may do something at the desk: for nobody else its pages exist. */
export async function sitsAtDesk(
  { store, clock, config }: { store: Store; clock: Clock; config: Pick<Config, 'citizenPermissions'> },
  cookie: string | undefined,
): Promise<boolean> {
  return cookie !== undefined && isOfDesk(config, await sessionOfCookie(store.db, cookie, clock.now()));
}

/** Whether such a session was, and may have ended since: its browser is led to the sign-in. A cookie that was never an agent's learns nothing. */
export async function satAtDesk(
  { store, config }: { store: Store; config: Pick<Config, 'citizenPermissions'> },
  cookie: string | undefined,
): Promise<boolean> {
  return cookie !== undefined && isOfDesk(config, await knownSessionOfCookie(store.db, cookie));
}

function isOfDesk(config: Pick<Config, 'citizenPermissions'>, session: Session | null): boolean {
  if (session?.role !== 'agent') return false;
  const permisos = permissionsOf(config, session);
  return permits(
    permisos,
    deskActions.map((action) => [deskResource, action] as const),
  );
}
