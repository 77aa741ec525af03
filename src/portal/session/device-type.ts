import { findSignatureObstacle, type DeviceType } from '../../domain/signature-obstacle.ts';
import { isObject } from '../../engine/core/json.ts';

type DeviceHints = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;

/** Reads the user agent. iPads identify as a Macintosh but have a touch screen. */
export function detectDeviceType({ userAgent, maxTouchPoints }: DeviceHints): DeviceType {
  const posing = userAgent.includes('Macintosh') && maxTouchPoints > 1;
  return posing || /Android|iPhone|iPad|iPod|Mobi/i.test(userAgent) ? 'mobile' : 'computer';
}

export function findDeviceSignatureObstacle(
  user: unknown,
  hints: DeviceHints,
): ReturnType<typeof findSignatureObstacle> {
  if (!isObject(user)) return null;
  return findSignatureObstacle(
    { cuenta_activa: user.cuenta_activa === true, email_validado: user.email_validado === true },
    detectDeviceType(hints),
  );
}
