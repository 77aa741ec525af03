/** The routes that code names: each is a path of a flow, which a test checks. Shell, blocks and server take them from here. */
export const pages = {
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

/** Tells a citizen whose identity an agent must check what to do: the guard of the portal, sign-ins and applications lead to it. */
export const proofingPage = '/error?errorCode=UNPROVEN_IDENTITY';

/** Those that the server alone leads to: from the broker, from mails, and where a proof or a set-up is missing. */
export const serverPages = {
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

/** Those of the agents' desk. */
export const deskPages = {
  day: '/agentes',
  call: '/agentes/llamadas/:id',
  accounts: '/agentes/cuentas',
  hours: '/agentes/horarios',
  messages: '/agentes/mensajes',
  figures: '/agentes/cifras',
} as const;
