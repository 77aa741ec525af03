import { describe, expect, test } from 'vitest';
import { responseSchemas, type ResponseSchemaName } from '../../src/contract/payload-schemas.ts';
import { isObject } from '../../src/engine/core/json.ts';

/**
 * Required fields of each response in section 3 of the specification. `[]` represents the items of a list.
 * `specification-operations.test.ts` compares responses of the running server with this table.
 */
const shapes: Partial<Record<ResponseSchemaName, readonly string[]>> = {
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
};

/** Returns the paths of the required fields in a response schema. */
function fieldsOf(schema: unknown, path: string): readonly string[] {
  if (!isObject(schema)) return [];
  const below = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = below
    .filter(([name]) => required.includes(name))
    .flatMap(([name, field]) => {
      const own = path === '' ? name : `${path}.${name}`;
      return [own, ...fieldsOf(field, own)];
    });
  const choices = ['anyOf', 'oneOf'].flatMap((keyword) => (Array.isArray(schema[keyword]) ? schema[keyword] : []));
  return [...fields, ...choices.flatMap((choice) => fieldsOf(choice, path)), ...fieldsOf(schema['items'], `${path}[]`)];
}

describe('response schemas', () => {
  test.each(Object.entries(shapes))('[ENT-03] %s has the required fields %s', (name, fields) => {
    expect(fieldsOf(responseSchemas[name as ResponseSchemaName], '')).toEqual(expect.arrayContaining([...fields]));
  });
});
