import { signatureObstacle, type Device } from '../../domain/signature.ts';
import { isObject } from '../../engine/core/json.ts';

export type DeviceHints = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;

/** Detects the kind of device. Phones and tablets identify themselves, except iPads, which identify as a Macintosh but have a touch screen. */
export function detectDevice({ userAgent, maxTouchPoints }: DeviceHints): Device {
  const posing = userAgent.includes('Macintosh') && maxTouchPoints > 1;
  return posing || /Android|iPhone|iPad|iPod|Mobi/i.test(userAgent) ? 'mobile' : 'computer';
}

export function findObstacle(user: unknown, hints: DeviceHints): ReturnType<typeof signatureObstacle> {
  if (!isObject(user)) return null;
  return signatureObstacle(
    { cuenta_activa: user.cuenta_activa === true, email_validado: user.email_validado === true },
    detectDevice(hints),
  );
}
