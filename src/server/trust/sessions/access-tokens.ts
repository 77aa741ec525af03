import { hasAnyPermission } from '../../../contract/operation-access.ts';
import { deskPermissionActions, deskPermissionResource } from '../../../contract/desk-permissions.ts';
import { maskIpAddress } from '../../platform/base/ip-addresses.ts';
import type { ClientDevice } from '../../platform/base/client-device.ts';
import { addSeconds, type Clock } from '../../platform/base/clock.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Kysely } from 'kysely';
import { addRefusalLogFacts, OperationError } from '../../platform/base/errors.ts';
import type { DatabaseStore } from '../../platform/database/open-store.ts';
import type { Database } from '../../platform/database/schema.ts';
import { hashSecret } from '../../platform/keys/random-secrets.ts';
import { selectAgentProofMethod } from '../identity/agent-mailboxes.ts';
import { resolveCitizenPermissions } from '../identity/citizens.ts';
import {
  getSessionEndReason,
  findAnySessionOfCookie,
  minActivityWriteIntervalS,
  recordSessionActivity,
  findLiveSession,
  findLiveSessionOfCookie,
  type BrokerSession,
} from './broker-sessions.ts';
import { randomUUID } from 'node:crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { signJwt } from '../../platform/keys/jws-signer.ts';
import { cacheUntilKeysChange, type SigningKeyRing } from '../../platform/keys/signing-keys.ts';
import { formatAcr } from '../identity/assurance-levels.ts';

/**
 * Authenticates the caller. Reads the session at each operation, so that a logout, a block of the account and a renewed cookie take effect at once.
 * Operations that are not `passive` restart the idle timeout. At the desk, a session is valid only in the browser and network of its sign-in.
 */
export async function authenticateBearerToken(
  parts: {
    tokens: AccessTokenIssuer;
    store: DatabaseStore;
    clock: Clock;
    config: Pick<Config, 'citizenPermissions' | 'loopback'>;
  },
  token: string,
  passive = false,
  device?: ClientDevice,
): Promise<Caller | null> {
  const { tokens, store, clock, config } = parts;
  const claims = await tokens.readClaims(token);
  if (claims === null) return null;
  const now = clock.now();
  const session = await findLiveSession(store.db, claims.sid, now);
  if (session === null || (claims.gen !== session.generation && claims.jti !== session.renewedBy)) return null;
  if (!passive && addSeconds(session.seenAt, minActivityWriteIntervalS) < now)
    await recordSessionActivity(store.db, session.id, now);
  return {
    citizenId: session.citizenId,
    document: session.document,
    sessionId: session.id,
    tokenId: claims.jti,
    role: session.role,
    permisos: resolveCitizenPermissions(config, session),
    restricted: session.restricted,
    factorDue: session.factorDue,
    needsPasskey:
      session.role === 'agent' &&
      ((!session.phishingResistant && selectAgentProofMethod(config, session.agentHasPasskey) === 'passkey') ||
        (!config.loopback && device !== undefined && isOtherDevice(session.device, device))),
    nid: session.nid,
  };
}

function isOtherDevice(from: ClientDevice, to: ClientDevice): boolean {
  return from.userAgent !== to.userAgent || maskIpAddress(from.address) !== maskIpAddress(to.address);
}

/**
 * Creates the error for a cookie without a live session. Its code is `account_blocked` if a block of the account ended the session. Only the log
 * entry has the exact reason.
 */
export async function createNoSessionError(db: Kysely<Database>, secret: string | undefined, now: Date) {
  const session =
    secret === undefined
      ? undefined
      : await db
          .selectFrom('broker_sessions')
          .innerJoin('citizens', 'citizens.id', 'broker_sessions.citizen_id')
          .select(['citizen_id', 'revoked_at', 'expires_at', 'idle_at', 'blocked_at'])
          .where('broker_sessions.hash', '=', hashSecret(secret))
          .executeTakeFirst();
  if (session === undefined) return new OperationError(401, 'no_autenticado');
  const { citizen_id: account, revoked_at: revoked, expires_at: expires, blocked_at: blocked } = session;
  const isBlocked = revoked !== null && blocked !== null && revoked >= blocked && expires > now;
  const error = new OperationError(401, isBlocked ? 'account_blocked' : 'no_autenticado');
  return addRefusalLogFacts(error, { account, reason: getSessionEndReason(session, now) });
}

/** Whether the cookie is of a live session with a permission of the desk. For all other browsers, the desk's pages respond with a 404. */
export async function isDeskSession(
  { store, clock, config }: { store: DatabaseStore; clock: Clock; config: Pick<Config, 'citizenPermissions'> },
  cookie: string | undefined,
): Promise<boolean> {
  return hasDeskPermission(config, await findLiveSessionOfCookie(store.db, cookie, clock.now()));
}

/**
 * Whether the cookie is of a desk session, live or ended. A browser with an ended session is redirected to the sign-in. Other browsers get a 404,
 * which does not reveal the desk.
 */
export async function isLiveOrEndedDeskSession(
  { store, config }: { store: DatabaseStore; config: Pick<Config, 'citizenPermissions'> },
  cookie: string | undefined,
): Promise<boolean> {
  return hasDeskPermission(config, await findAnySessionOfCookie(store.db, cookie));
}

function hasDeskPermission(config: Pick<Config, 'citizenPermissions'>, session: BrokerSession | null): boolean {
  if (session?.role !== 'agent') return false;
  const permisos = resolveCitizenPermissions(config, session);
  return hasAnyPermission(
    permisos,
    deskPermissionActions.map((action) => [deskPermissionResource, action] as const),
  );
}

export type AccessTokenIssuer = ReturnType<typeof createAccessTokenIssuer>;

interface VerifiedToken {
  readonly sid: string;
  readonly exp: number;
  readonly gen: string;
  readonly jti: string;
}

/** Maximum size of the cache of verified tokens. The oldest token is evicted first. */
const maxCachedTokens = 5_000;
const accessTokenAlgorithm = 'ES256';
const accessTokenType = 'portal+jwt';

/**
 * Issues and verifies JWTs that refer to a broker session, which is authoritative. The current key signs the tokens, and every other key only
 * verifies them.
 */
export function createAccessTokenIssuer(
  signing: Pick<SigningKeyRing, 'listCurrentKeys'>,
  clock: Clock,
  { issuer, lifeS }: { issuer: string; lifeS: number },
) {
  const audience = `${issuer}/rest`;
  /** Verification keys, and cache of verified tokens. Both are recreated when the keys change. */
  const checks = cacheUntilKeysChange(signing.listCurrentKeys, (keys) => ({
    jwks: createLocalJWKSet({ keys: keys.map(({ signers }) => signers[accessTokenAlgorithm].publicJwk) }),
    known: new Map<string, VerifiedToken>(),
  }));
  const verify = async (token: string, now: number): Promise<VerifiedToken | null> => {
    const { jwks, known } = checks();
    try {
      const { payload } = await jwtVerify(token, jwks, {
        algorithms: [accessTokenAlgorithm],
        typ: accessTokenType,
        issuer,
        audience,
        requiredClaims: ['exp', 'sid', 'gen', 'jti'],
        currentDate: new Date(now * 1000),
      });
      const { sid, exp, gen, jti } = payload;
      if (typeof sid !== 'string' || typeof gen !== 'string' || exp === undefined || jti === undefined) return null;
      const [oldest] = known.keys();
      if (known.size >= maxCachedTokens && oldest !== undefined) known.delete(oldest);
      const claims = { sid, exp, gen, jti };
      known.set(token, claims);
      return claims;
    } catch {
      return null;
    }
  };
  const readClaims = async (token: string, graceS = 0): Promise<VerifiedToken | null> => {
    const now = clock.now().getTime() / 1000 - graceS;
    const found = checks().known.get(token) ?? (await verify(token, now));
    return found === null || found.exp <= now ? null : found;
  };
  return {
    issueToken(session: BrokerSession): Promise<string> {
      const [{ signers }] = signing.listCurrentKeys();
      const signer = signers[accessTokenAlgorithm];
      const now = Math.floor(clock.now().getTime() / 1000);
      return signJwt(
        signer,
        { typ: accessTokenType, kid: signer.publicJwk.kid },
        {
          cid: session.citizenId,
          sid: session.id,
          gen: session.generation,
          idp: session.idp,
          ...(session.role === 'agent' && { role: session.role }),
          end: Math.floor(session.expiresAt.getTime() / 1000),
          acr: formatAcr(session.nid),
          iss: issuer,
          aud: audience,
          sub: session.citizenId,
          jti: randomUUID(),
          iat: now,
          exp: now + lifeS,
        },
      );
    },
    /** Returns the session id of a valid token. Returns `null` for any other text. Accepts a token until `graceS` seconds after its expiry. */
    readSessionId: async (token: string, graceS = 0): Promise<string | null> =>
      (await readClaims(token, graceS))?.sid ?? null,
    readClaims,
  };
}
