import type { ResponseSchemaName } from '../../src/contract/payload-schemas.ts';

/**
 * Required fields of each response in section 3 of the specification. `[]` represents the items of a list.
 * `specification-operations.test.ts` compares responses of the running server with this table.
 */
export const requiredFields = {
  countries: [
    '[].codigo',
    '[].nombre',
    '[].documentos[].tipo_documento.codigo',
    '[].documentos[].tipo_documento.nombre',
  ],
  applications: ['[].id', '[].client.name', '[].client.logo', '[].scopes[].name', '[].date_given'],
  consentClient: [
    'name',
    'website_url',
    'url',
    'terms_url',
    'priv_url',
    'scopes[].scope',
    'scopes[].name',
    'scopes[].description',
  ],
  mfaStatus: [
    'estado.activado',
    'estado.fecha_activado',
    'methods.totp.id',
    'methods.totp.secret',
    'methods.totp.url',
    'methods.email.id',
    'estado_email',
    'errors',
  ],
  actions: ['[].id', '[].timestamp_access', '[].descripcion', '[].responsable'],
  identityProviders: [
    'idps[].identificador',
    'idps[].nombre',
    'idps[].descripcion',
    'idps[].nivel_seguridad',
    'idps[].logo',
    'ci_allowed',
    'gub_uy_allowed',
  ],
  faqs: [
    '[].nombre',
    '[].faqs[].id',
    '[].faqs[].slug',
    '[].faqs[].titulo',
    '[].faqs[].respuesta',
    '[].faqs[].categorias.nombre',
    '[].faqs[].faqs_relacionadas',
  ],
  staticPage: ['titulo', 'contenido'],
  contactSubjects: ['[].id', '[].nombre'],
  callDates: ['[].fecha'],
  elevationDates: ['[].fecha', '[].disponible'],
  callHours: ['[].hora_inicio'],
  supportCall: ['link', 'jwt', 'informacion_contacto.nombre_completo'],
  bookedCall: ['estado', 'fecha', 'hora_inicio'],
  identityCheck: ['primer_apellido', 'numero_serie', 'mayor_de_edad'],
  samlLogout: ['logout_requests', 'wait_longer', 'logout_response', 'logout_redirect'],
} as const satisfies Partial<Record<ResponseSchemaName, readonly string[]>>;
