import { types } from 'mobx-state-tree';
import type { OperationResponse } from '../contract/contract.ts';

const Totp = types.model('Totp', { id: types.string, secret: types.null, url: types.null });
const EmailMethod = types.model('EmailMethod', { id: types.string });

/** Second factors without secrets. Properties have the names of the API (section 3 of the specification). */
export const MfaStatus = types
  .model('MfaStatus', {
    /** `fecha_activado`: time at which the first factor was activated, in ISO 8601 with offset. */
    estado: types.model('MfaState', { activado: types.boolean, fecha_activado: types.maybeNull(types.string) }),
    methods: types.model('MfaMethods', { totp: types.maybeNull(Totp), email: types.maybeNull(EmailMethod) }),
    estado_email: types.enumeration('EmailState', ['validado', 'pendiente', 'sin_correo']),
    errors: types.maybeNull(types.string),
    obligatorio: types.boolean,
    /** Number of unused recovery codes. `null` if the backend omits the number. */
    codigos_de_recuperacion: types.maybeNull(types.integer),
    llaves: types.frozen<OperationResponse<'getMfaStatus'>['llaves']>([]),
  })
  .views((self) => ({
    get canMail(): boolean {
      return self.estado_email === 'validado';
    },
    /** Whether the citizen may disable the factors that use codes. False if the assurance level requires a second factor. */
    get canDisable(): boolean {
      return self.estado.activado && (self.methods.totp !== null || self.methods.email !== null) && !self.obligatorio;
    },
  }));
