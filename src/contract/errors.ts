import type { OperationName } from './contract.ts';

/**
 * The codes of errors that a flow may decide by: those that an operation raises of its own accord. The checker warns of a guard on any other. They
 * stand beside the table of operations, since no browser needs them.
 */
export const operationErrors = {
  answerChallenge: [
    'account_blocked',
    'account_no_activated',
    'sesion_expirada',
    'dominio_no_registrado',
    'llave_invalida',
    'tarjeta_sin_cuenta',
    'tarjeta_no_disponible',
    'billetera_sin_cuenta',
    'sesion_de_otra_persona',
  ],
  answerProviderLink: ['sesion_de_otra_persona'],
  resendRecoveryCode: ['account_blocked', 'account_no_activated', 'sesion_expirada'],
  getIdentityProviders: ['solicitud_terminada'],
  approveEmailChange: ['correo_antes_de_plazo'],
  createPasskey: ['llave_invalida'],
  registerCitizen: ['ya_registrado'],
  completeRegistration: ['ya_registrado'],
  activateEmailMethod: ['vinculo_invalido'],
  disavow: ['vinculo_invalido'],
  checkPasswordReset: ['vinculo_invalido'],
  confirmPasswordReset: ['vinculo_invalido'],
  bookSupportCall: [
    'sin_cupos',
    'cupo_ocupado',
    'consulta_por_email',
    'consulta_por_documento',
    'usuario_con_videollamada',
  ],
  confirmSupportCall: ['vinculo_invalido'],
  cancelSupportCall: ['vinculo_invalido'],
  bookElevation: [
    'sin_cupos',
    'cupo_ocupado',
    'tramite_en_curso',
    'usuario_con_videollamada',
    'serie_no_coincide',
    'apellido_no_coincide',
    'menor_de_edad',
    'nivel_ya_alcanzado',
  ],
  submitSignature: ['firma_vencida', 'nivel_ya_alcanzado'],
} as const satisfies Readonly<Partial<Record<OperationName, readonly string[]>>>;

/** The codes that any operation may answer, by the guard, its limits and the body's check; `invalid_token` is the client's own word for a link. */
export const commonErrors = [
  'no_autenticado',
  'no_encontrado',
  'demasiados_intentos',
  'captcha_invalido',
  'verificacion_requerida',
  'cuerpo_mal_formado',
  'datos_invalidos',
  'formulario_cambiado',
  'error_interno',
  'servicio_no_disponible',
  'invalid_token',
] as const;
