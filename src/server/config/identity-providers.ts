import { Ajv } from 'ajv';
import type { FromSchema } from 'json-schema-to-ts';
import { languages } from '../../contract/portal-config.ts';

const text = { type: 'string', maxLength: 300 } as const;

/** The address that a logo is fetched from, or a path of our own; empty: none. */
const logo = { type: 'string', maxLength: 2000, pattern: '^$|^/($|[^/\\\\])|^https?://[^\\s\\\\]+$' } as const;

const schema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['identificador', 'nombre', 'descripcion', 'nivel_seguridad', 'logo'],
    properties: {
      identificador: { ...text, minLength: 1 },
      nombre: text,
      descripcion: text,
      nivel_seguridad: text,
      logo,
      idioma: { enum: languages },
    },
    additionalProperties: false,
  },
} as const;

type IdentityProviders = FromSchema<typeof schema>;

/** An external identity provider as sign-in offers it (section 3 of the specification). */
export type IdentityProvider = IdentityProviders[number];

const validate = new Ajv().compile<IdentityProviders>(schema);

/** Reads the list from JSON; an empty text is an empty list. Throws an Error whose message completes 'must be …'. */
export function readIdentityProviders(json: string): readonly IdentityProvider[] {
  const value = json === '' ? [] : parse(json);
  if (validate(value)) return value;
  throw new Error(
    'a JSON list of objects with identificador, nombre, descripcion, nivel_seguridad and logo, perhaps idioma (es, pt)',
  );
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
