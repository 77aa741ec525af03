export type Device = 'mobile' | 'computer';

interface Signatory {
  readonly cuenta_activa: boolean;
  readonly email_validado: boolean;
}

/** Returns the reason why the citizen cannot raise the level with a digital signature (section 6 of the specification), or `null`. */
export function findSignatureObstacle(user: Signatory, device: Device): 'mobile' | 'inactive' | 'email' | null {
  if (device === 'mobile') return 'mobile';
  if (!user.cuenta_activa) return 'inactive';
  return user.email_validado ? null : 'email';
}
