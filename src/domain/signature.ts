/** What the citizen sits at. */
export type Device = 'mobile' | 'computer';

/** What of a citizen's record decides whether the level can be raised by a digital signature. */
interface Signatory {
  readonly cuenta_activa: boolean;
  readonly email_validado: boolean;
}

/** What stands in the way of a digital signature (section 6 of the specification): a device without one, an account that is not active, an address that is not validated; null: nothing. */
export function signatureObstacle(user: Signatory, device: Device): 'mobile' | 'inactive' | 'email' | null {
  if (device === 'mobile') return 'mobile';
  if (!user.cuenta_activa) return 'inactive';
  return user.email_validado ? null : 'email';
}
