/** Slug of an existing question, for the route with a parameter. */
export const sampleQuestionSlug = 'como-activo-el-doble-factor';

/** Public routes in section 2.1 of the specification, without pages that do not exist in this product. */
export const publicAddresses: readonly string[] = [
  '/',
  '/login',
  '/logout-process',
  '/logout-saml',
  '/desconocido',
  '/error',
  '/registro',
  '/registro/exito',
  '/registro/reenviar-link-activacion',
  '/registro/reenviar-link-activacion/exito',
  '/registro/activar-cuenta',
  '/registro/activar-cuenta/cuenta-activada',
  '/registro/activar-cuenta/error',
  '/contraseña/restablecer',
  '/contraseña/restablecer/link-enviado',
  '/contraseña/restablecer/nueva-contraseña',
  '/contraseña/restablecer/link-invalido',
  '/seguridad/correo-electronico/modificar/aprobar',
  '/seguridad/correo-electronico/modificar/aprobar/ok',
  '/seguridad/correo-electronico/modificar/aprobar/error',
  '/terminos-y-condiciones',
  '/politica-de-privacidad',
  '/acerca-de',
  '/metodos-disponibles-diferencias',
  '/contacto',
  '/contacto/mensaje-enviado',
  '/ayuda',
  '/ayuda/que-es-la-garantia-de-identidad',
  `/ayuda/${sampleQuestionSlug}`,
  '/feedback',
  '/feedback/mensaje-enviado',
  '/contacto-videollamada',
  '/videollamada-soporte',
  '/cancelar-videollamada-soporte',
  '/ingresar-videollamada-soporte',
];
/** Routes in section 2.1 of the specification that require a signed-in citizen. */
export const citizenAddresses: readonly string[] = [
  '/autorizacion',
  '/seguridad',
  '/seguridad-idp',
  ...['', '/verificar', '/modificar'].map((page) => `/seguridad/contraseña${page}`),
  ...['', '/reenviar-link-activacion', '/modificar', '/modificar/link-enviado'].map(
    (page) => `/seguridad/correo-electronico${page}`,
  ),
  ...['', '/modificar', '/error'].map((page) => `/seguridad/telefono${page}`),
  ...[
    '',
    ...['totp', 'email'].flatMap((method) =>
      ['', '/config', '/activar', '/activar/exito'].map((page) => `/${method}${page}`),
    ),
  ].map((page) => `/seguridad/autenticacion-en-dos-pasos${page}`),
  ...['', '/email', '/email/exito', '/aplicativo', '/aplicativo/exito', '/email/cambiar/exito', '/postergar'].map(
    (page) => `/configurar-segundo-factor${page}`,
  ),
  '/videollamada',
  '/videollamada-cancelada',
  '/confirmar-cancelar-videollamada',
  '/confirmar-nivel-intermedio-videollamada',
  '/ingresar-videollamada',
];
