import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../platform/base/clock.ts';
import { madeOfKeys, publicSet, type SigningRing } from '../../platform/keys/signing-keys.ts';
import { formatAcr } from '../identity/levels.ts';
import type { Session } from './sessions.ts';

/** Bearer tokens of the portal. They are JWTs that refer to a broker session, which is authoritative. */
export interface Tokens {
  issue(session: Session): Promise<string>;
  /** Returns the session id of a valid token. Returns `null` for any other text. The token may have expired up to `graceS` seconds ago. */
  read(token: string, graceS?: number): Promise<string | null>;
}

interface Known {
  readonly sid: string;
  /** Seconds since the epoch. */
  readonly exp: number;
}

/** Maximum size of the cache of verified tokens. The oldest is evicted first. */
const mostKnown = 5_000;
const algorithm = 'RS256';
const type = 'portal+jwt';

/** Signs tokens with the current key and verifies them with any key. `issuer` is the base URL. The backend is the only audience. */
export function createTokens({
  signing,
  issuer,
  lifeS,
  clock,
}: {
  signing: Pick<SigningRing, 'now'>;
  issuer: string;
  lifeS: number;
  clock: Clock;
}): Tokens {
  const audience = `${issuer}/rest`;
  /** Discards the cache when the keys change. */
  const checks = madeOfKeys(signing.now, (keys) => ({
    jwks: createLocalJWKSet(publicSet(keys)),
    known: new Map<string, Known>(),
  }));
  const verify = async (token: string, now: number): Promise<Known | null> => {
    const { jwks, known } = checks();
    try {
      const { payload } = await jwtVerify(token, jwks, {
        algorithms: [algorithm],
        typ: type,
        issuer,
        audience,
        requiredClaims: ['exp', 'sid'],
        currentDate: new Date(now * 1000),
      });
      const { sid, exp } = payload;
      if (typeof sid !== 'string' || exp === undefined) return null;
      const [oldest] = known.keys();
      if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest);
      known.set(token, { sid, exp });
      return { sid, exp };
    } catch {
      return null;
    }
  };
  return {
    issue(session) {
      const [signer] = signing.now();
      const now = Math.floor(clock.now().getTime() / 1000);
      return new SignJWT({
        cid: session.citizenId,
        sid: session.id,
        idp: session.idp,
        ...(session.role === 'agent' && { role: session.role }),
        end: Math.floor(session.expiresAt.getTime() / 1000),
        acr: formatAcr(session.nid),
      })
        .setProtectedHeader({ alg: algorithm, typ: type, kid: signer.kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(session.citizenId)
        .setIssuedAt(now)
        .setExpirationTime(now + lifeS)
        .sign(signer.privateKey);
    },
    async read(token, graceS = 0) {
      const now = clock.now().getTime() / 1000 - graceS;
      const found = checks().known.get(token) ?? (await verify(token, now));
      return found === null || found.exp <= now ? null : found.sid;
    },
  };
}
