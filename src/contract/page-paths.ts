/** Paths of flows that code refers to. A test checks that each flow exists. */
export const pagePaths = {
  home: '/',
  login: '/login',
  register: '/registro',
  security: '/seguridad',
  foreign: '/seguridad-idp',
  secondFactor: '/seguridad/autenticacion-en-dos-pasos',
  secondFactorReminder: '/configurar-segundo-factor',
  changePassword: '/seguridad/contraseña/modificar',
  changeEmail: '/seguridad/correo-electronico/modificar',
  resendValidation: '/seguridad/correo-electronico/reenviar-link-activacion',
  changePhone: '/seguridad/telefono/modificar',
  sessions: '/seguridad/sesiones',
  passkeys: '/seguridad/llaves-de-acceso',
  ownData: '/seguridad/mis-datos',
  closeAccount: '/seguridad/cerrar-cuenta',
  signature: '/seguridad/firma-digital',
  elevation: '/videollamada',
  enterElevation: '/ingresar-videollamada',
  cancelElevation: '/confirmar-cancelar-videollamada',
  acceptElevation: '/confirmar-nivel-intermedio-videollamada',
  bookSupport: '/contacto-videollamada',
  cancelSupport: '/cancelar-videollamada-soporte',
  logout: '/logout-process',
  samlLogout: '/logout-saml',
  samlIndex: '/saml-index',
  sessionEnded: '/sesion-terminada',
  error: '/error',
  notFound: '/desconocido',
  contact: '/contacto',
  feedback: '/feedback',
  help: '/ayuda',
  question: '/ayuda/:slug',
  about: '/acerca-de',
  terms: '/terminos-y-condiciones',
  privacy: '/politica-de-privacidad',
  accessibility: '/accesibilidad',
  authentic: '/como-saber-que-es-autentico',
  methods: '/metodos-disponibles-diferencias',
} as const;

/** Page for citizens whose identity an agent must verify. The portal, sign-ins and applications redirect to it. */
export const proofingPagePath = '/error?errorCode=UNPROVEN_IDENTITY';

/**
 * Pages to which only the server sends citizens: with redirects of the broker, links in mails, and redirects to a required proof of identity or
 * setup.
 */
export const redirectOnlyPagePaths = {
  consent: '/autorizacion',
  providerReturn: '/ingreso-proveedor',
  activateAccount: '/registro/activar-cuenta',
  newPassword: '/contraseña/restablecer/nueva-contraseña',
  disavow: '/no-fui-yo',
  approveEmail: '/seguridad/correo-electronico/modificar/aprobar',
  verifyIdentity: '/seguridad/contraseña/verificar',
  keepAccount: '/seguridad/cerrar-cuenta/conservar',
  sign: '/seguridad/firma-digital/firmar',
  confirmSupport: '/videollamada-soporte',
  enterSupport: '/ingresar-videollamada-soporte',
  signedDocument: '/seguridad/firma-digital/documento',
  secondFactorByApp: '/seguridad/autenticacion-en-dos-pasos/totp',
  secondFactorByEmail: '/seguridad/autenticacion-en-dos-pasos/email',
  secondFactorByNewEmail: '/configurar-segundo-factor/email/cambiar',
} as const;

export const deskPagePaths = {
  day: '/agentes',
  call: '/agentes/llamadas/:id',
  accounts: '/agentes/cuentas',
  hours: '/agentes/horarios',
  messages: '/agentes/mensajes',
  figures: '/agentes/cifras',
} as const;
