import { signatureObstacle, type Device } from '../../domain/signature.ts';
import { isObject } from '../../engine/core/json.ts';

/** The part of Navigator that tells one device from another. */
export type DeviceHints = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;

/** What the browser runs on: phones and tablets name themselves, but for iPads, which pose as a Macintosh that can be touched. */
export function deviceOf({ userAgent, maxTouchPoints }: DeviceHints): Device {
  const posing = userAgent.includes('Macintosh') && maxTouchPoints > 1;
  return posing || /Android|iPhone|iPad|iPod|Mobi/i.test(userAgent) ? 'mobile' : 'computer';
}

/** What keeps the citizen of a record from signing here, as flows see it; null: nothing, or nobody is signed in. */
export function obstacleOf(user: unknown, hints: DeviceHints): ReturnType<typeof signatureObstacle> {
  if (!isObject(user)) return null;
  return signatureObstacle(
    { cuenta_activa: user.cuenta_activa === true, email_validado: user.email_validado === true },
    deviceOf(hints),
  );
}
