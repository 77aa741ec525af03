import type { signatureObstacles } from '../contract/rule-facts.ts';

export type DeviceType = 'mobile' | 'computer';

/** Returns why the citizen cannot raise the assurance level with a digital signature (section 6 of the specification), or `null`. */
export function findSignatureObstacle(
  user: { readonly cuenta_activa: boolean; readonly email_validado: boolean },
  device: DeviceType,
): (typeof signatureObstacles)[number] | null {
  if (device === 'mobile') return 'mobile';
  if (!user.cuenta_activa) return 'inactive';
  return user.email_validado ? null : 'email';
}
