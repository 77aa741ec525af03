import { types } from 'mobx-state-tree';
import type { Answer } from '../contract/contract.ts';

const Totp = types.model('Totp', { id: types.string, secret: types.null, url: types.null });
const EmailMethod = types.model('EmailMethod', { id: types.string });

/** The second factors of the citizen, in the names of the wire (section 3 of the specification). It never holds a secret. */
export const MfaStatus = types
  .model('MfaStatus', {
    /** `fecha_activado`: ISO 8601 with offset. */
    estado: types.model('MfaState', { activado: types.boolean, fecha_activado: types.maybeNull(types.string) }),
    methods: types.model('MfaMethods', { totp: types.maybeNull(Totp), email: types.maybeNull(EmailMethod) }),
    estado_email: types.enumeration('EmailState', ['validado', 'pendiente', 'sin_correo']),
    errors: types.maybeNull(types.string),
    obligatorio: types.boolean,
    /** `null` if the backend does not tell. */
    codigos_de_recuperacion: types.maybeNull(types.integer),
    llaves: types.frozen<Answer<'getMfaStatus'>['llaves']>([]),
  })
  .views((self) => ({
    /** Whether codes can be mailed: only to an address that was proven. */
    get canMail(): boolean {
      return self.estado_email === 'validado';
    },
    /** Whether the second factors with a code may be switched off: the level may demand one. Passkeys are removed one by one. */
    get canDisable(): boolean {
      return self.estado.activado && (self.methods.totp !== null || self.methods.email !== null) && !self.obligatorio;
    },
  }));
