import type { signatureObstacles } from '../../contract/rule-facts.ts';
import { isObject } from '../../engine/core/json.ts';

type DeviceHints = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;

/** Returns why the citizen cannot raise the assurance level with a digital signature (section 6 of the specification), or `null`. */
export function findSignatureObstacle(user: unknown, device: DeviceHints): (typeof signatureObstacles)[number] | null {
  if (!isObject(user)) return null;
  if (isMobile(device)) return 'mobile';
  if (user.cuenta_activa !== true) return 'inactive';
  return user.email_validado === true ? null : 'email';
}

/** Reads the user agent. iPads identify as a Macintosh but have a touch screen. */
function isMobile({ userAgent, maxTouchPoints }: DeviceHints): boolean {
  const posing = userAgent.includes('Macintosh') && maxTouchPoints > 1;
  return posing || /Android|iPhone|iPad|iPod|Mobi/i.test(userAgent);
}
