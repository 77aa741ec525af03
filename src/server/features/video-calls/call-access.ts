import { SignJWT } from 'jose';
import { portalConstants } from '../../../contract/constants.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { type VideoCall, findVideoCall } from './call-records.ts';
import { undecidedCallStates } from './call-states.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { findLiveLinkToken } from '../../trust/credentials/link-tokens.ts';
import type { DatabaseStore } from '../../platform/database/open-store.ts';

export interface CallRoomAccess {
  /** URL of an external room. `null` if there is none or the room is closed. */
  readonly link: string | null;
  /** Whether the portal's own room is open. */
  readonly sala: boolean;
  /** Token for the external room. `null` if the room needs none. */
  readonly jwt: string | null;
  /** Opening time (ISO 8601). `null` if the room is already open, or will not open any more. */
  readonly abre: string | null;
}

const noAccess: CallRoomAccess = { link: null, sala: false, jwt: null, abre: null };
/** Time after the end of a call for which a token opens its room, in seconds. Calls may take longer than scheduled. */
const overtimeS = 60 * 60;

/**
 * Returns when a room opens: five minutes before the start, or a time in the past if the flag `videollamada_5_minutos_antes` is off (specification,
 * sections 4.2 and 9). Returns `null` if the call is decided or over.
 */
function findRoomOpeningTime({ state, startsAt }: VideoCall, { flags }: Pick<Config, 'flags'>): Date | null {
  if (!undecidedCallStates.some((undecided) => undecided === state)) return null;
  return flags.videollamada_5_minutos_antes
    ? addSeconds(startsAt, -60 * portalConstants.videoCallEntryMinutes)
    : new Date(0);
}

export function isCallRoomOpen(call: VideoCall, config: Pick<Config, 'flags'>, now: Date): boolean {
  const opening = findRoomOpeningTime(call, config);
  return opening !== null && now >= opening;
}

/**
 * Returns a participant's access to a call's room, which is on the configured Jitsi server or else in the portal. `name` is the participant's name.
 * Defaults to the name in the booking.
 */
export async function createCallRoomAccess(
  call: VideoCall,
  { jitsi, flags }: Pick<Config, 'jitsi' | 'flags'>,
  now: Date,
  name = call.name,
): Promise<CallRoomAccess> {
  const opening = findRoomOpeningTime(call, { flags });
  if (opening === null) return noAccess;
  if (now < opening) return { ...noAccess, abre: opening.toISOString() };
  if (jitsi === null) return { ...noAccess, sala: true };
  const room = `videollamada-${call.id}`.toLowerCase();
  const { url, appId, secret } = jitsi;
  if (secret === null) return { ...noAccess, link: `${url}/${room}` };
  const expires = addSeconds(call.endsAt, overtimeS);
  if (now >= expires) return noAccess;
  const jwt = await new SignJWT({ room, context: { user: { name } } })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience('jitsi')
    .setIssuer(appId)
    .setSubject(new URL(url).hostname)
    .setNotBefore(Math.floor(now.getTime() / 1000) - 10)
    .setExpirationTime(Math.floor(expires.getTime() / 1000))
    .sign(Buffer.from(secret));
  return { ...noAccess, link: `${url}/${room}`, jwt };
}

/** Finds a support call by the secret in a mailed link, or a call of the caller by its id. Throws the same error in all other cases. */
export async function findSupportCall(
  db: DatabaseStore['db'],
  id: string,
  { caller, now }: { caller: Caller | null; now: Date },
): Promise<VideoCall & { readonly kind: 'support' }> {
  const token = await findLiveLinkToken(db, 'support-call', id, now);
  const call = await findVideoCall(db, 'support', token?.subject ?? id);
  if (call === null || (token === null && (caller === null || call.citizenId !== caller.citizenId)))
    throw createInvalidCallLinkError();
  return call;
}

export function createInvalidCallLinkError(): OperationError {
  return new OperationError(404, 'vinculo_invalido', { invalidToken: true });
}
