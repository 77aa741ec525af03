import { createHmac } from 'node:crypto';
import type { Answer } from '../../../contract/contract.ts';
import { after } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/config/config.ts';

/** Lifetime of the credentials of the TURN server, in seconds. It is longer than any call, and a page that reconnects gets new ones. */
const credentialsLifeS = 4 * 60 * 60;

/** Returns the STUN and TURN servers for a call. The credentials follow coturn's `use-auth-secret`. */
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
