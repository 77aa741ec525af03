import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../platform/base/clock.ts';
import { madeOfKeys, publicSet, type SigningRing } from '../../platform/keys/signing-keys.ts';
import { acrOf } from '../identity/levels.ts';
import type { Session } from './sessions.ts';

/** Bearer tokens of the portal: JWTs that only point to a broker session, which decides. */
export interface Tokens {
  issue(session: Session): Promise<string>;
  /** The session id of a token that is ours; null for any other. `graceS`: seconds that it may be expired. */
  read(token: string, graceS?: number): Promise<string | null>;
}

const algorithm = 'RS256';
const type = 'portal+jwt';

/** Tokens signed with the key that signs then, read with any; `issuer` is the base URL, whose backend is the only audience. */
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
  const jwks = madeOfKeys(signing.now, (keys) => createLocalJWKSet(publicSet(keys)));
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
        acr: acrOf(session.nid),
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
      try {
        const { payload } = await jwtVerify(token, jwks(), {
          algorithms: [algorithm],
          typ: type,
          issuer,
          audience,
          requiredClaims: ['exp', 'sid'],
          currentDate: new Date(clock.now().getTime() - graceS * 1000),
        });
        return typeof payload['sid'] === 'string' ? payload['sid'] : null;
      } catch {
        return null; // whatever is wrong with it, it is nobody's token
      }
    },
  };
}
