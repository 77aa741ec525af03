import { createHmac } from 'node:crypto';
import type { Answer } from '../../../contract/contract.ts';
import { after } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/config/config.ts';

/** How long credentials open the TURN server: longer than any call, and a page that comes back gets new ones. */
const credentialsLifeS = 4 * 60 * 60;

/** By which servers the browsers of a call reach each other; credentials are those of coturn's `use-auth-secret`. */
export function iceServers(
  { stun, turn, turnSecret, turnOnly }: Config['room'],
  callId: string,
  now: Date,
): NonNullable<Answer<'enterRoom'>['hielo']> {
  const username = `${Math.floor(after(now, credentialsLifeS).getTime() / 1000)}:${callId}`;
  const credential = createHmac('sha1', turnSecret).update(username).digest('base64');
  return {
    servidores: [
      ...(stun.length > 0 ? [{ urls: [...stun] }] : []),
      ...(turn.length > 0 ? [{ urls: [...turn], username, credential }] : []),
    ],
    solo_rele: turnOnly,
  };
}
