import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Ajv } from 'ajv';
import type { FromSchema } from 'json-schema-to-ts';
import { nationalIdentityProviders } from '../../../contract/operation-access.ts';
import { languages } from '../../../contract/portal-config.ts';
import type { JsonLogic } from '../../../engine/core/flow-and-screen-types.ts';
import { isHttpUrl } from '../../../engine/core/values/http-url.ts';
import { findRuleProblems } from '../../../engine/core/json-logic.ts';
import { splitList } from '../base/normalize-input.ts';
import { trustworthyUrlPattern } from './setting-values.ts';

const textSchema = { type: 'string', maxLength: 300 } as const;

/** URL of a logo, a path of the portal, or an empty text. */
const logoSchema = { type: 'string', maxLength: 2000, format: 'address-or-path' } as const;

const levelSchema = { type: 'integer', minimum: 0, maximum: 3 } as const;

/** JsonLogic expression over the provider's claims. */
const claimRuleSchema = { type: ['object', 'string'] } as const;

export const identityProvidersSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['identificador', 'nombre', 'descripcion', 'nivel_seguridad', 'logo', 'claims', 'levels', 'maxLevel'],
    properties: {
      identificador: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,39}$' },
      nombre: textSchema,
      descripcion: textSchema,
      nivel_seguridad: textSchema,
      logo: logoSchema,
      color: { type: 'string', pattern: '^#[0-9a-f]{6}$' },
      idioma: { enum: languages },
      /** `false` for a national provider, whose users are citizens with an account of the portal. `true` by default. */
      federated: { type: 'boolean' },
      /** Registration at an OpenID provider. Without a secret in IDP_SECRETS, the portal is a public client. */
      oidc: {
        type: 'object',
        required: ['issuer', 'clientId'],
        properties: {
          issuer: { type: 'string', pattern: `${trustworthyUrlPattern}[^\\s\\\\?#]*$`, maxLength: 2000 },
          clientId: { ...textSchema, minLength: 1 },
          scope: textSchema,
          /** Value of the `acr_values` parameter. */
          acrValues: textSchema,
        },
        additionalProperties: false,
      },
      /** `metadata` is a path relative to the IDPS_FILE. */
      saml: {
        type: 'object',
        required: ['metadata'],
        properties: { metadata: { type: 'string', minLength: 1, maxLength: 2000 } },
        additionalProperties: false,
      },
      claims: {
        type: 'object',
        required: ['number', 'firstName'],
        properties: {
          country: claimRuleSchema,
          type: claimRuleSchema,
          number: claimRuleSchema,
          firstName: claimRuleSchema,
          secondName: claimRuleSchema,
          firstSurname: claimRuleSchema,
          secondSurname: claimRuleSchema,
        },
        additionalProperties: false,
      },
      /** Assurance level for each `acr` or authentication context class of the provider. */
      levels: { type: 'object', additionalProperties: levelSchema },
      maxLevel: levelSchema,
    },
    oneOf: [{ required: ['oidc'] }, { required: ['saml'] }],
    additionalProperties: false,
  },
} as const;

type ProviderEntries = FromSchema<typeof identityProvidersSchema>;

/** An external identity provider. Here `saml.metadata` is the XML. In the file of IDPS_FILE, it is the path of the XML file. */
export type IdentityProvider = ProviderEntries[number];

const ajv = new Ajv({ allowUnionTypes: true, strictRequired: false }).addFormat(
  'address-or-path',
  (value: string) => value === '' || /^\/($|[^/\\])/.test(value) || isHttpUrl(value),
);
const validateProviderEntries = ajv.compile<ProviderEntries>(identityProvidersSchema);

/** Reads the file of IDPS_FILE. Throws an `Error` whose message completes the sentence 'IDPS_FILE must be …'. */
export function readIdentityProviders(path: string): readonly IdentityProvider[] {
  if (path === '') return [];
  const entries = parseProviders(readProvidersFile(path));
  if (!validateProviderEntries(entries))
    throw new Error(`a JSON file of identity providers (${ajv.errorsText(validateProviderEntries.errors)})`);
  const ids = entries.map(({ identificador }) => identificador);
  if (new Set(ids).size < ids.length) throw new Error('a file in which each identificador stands once');
  return entries.map((entry) => {
    const { identificador: id, federated = true, saml, claims } = entry;
    if (federated === nationalIdentityProviders.has(id))
      throw new Error(
        `a file whose national providers ("federated": false) are ${[...nationalIdentityProviders].join(' and ')}, which ${id} is not in keeping with`,
      );
    const [problem] = Object.values(claims).flatMap((logic) => findRuleProblems(logic as JsonLogic)); // the cast is safe: the schema accepts only objects and strings
    if (problem) throw new Error(`a file whose claims are rules (${id}: ${problem.message})`);
    return saml === undefined
      ? entry
      : { ...entry, saml: { metadata: readProvidersFile(resolve(dirname(path), saml.metadata)) } };
  });
}

/** Parses client secrets in the format `br=… abitab=…`. Throws an `Error` whose message completes the sentence 'IDP_SECRETS must be …'. */
export function parseProviderSecrets(text: string): ReadonlyMap<string, string> {
  const pairs = splitList(text, /\s+/).map((pair) => {
    const [, id = '', secret = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (id === '') throw new Error('pairs such as br=… separated by blanks');
    return [id, secret] as const;
  });
  return new Map(pairs);
}

function readProvidersFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Error(`a file that can be read (${path} cannot)`);
  }
}

function parseProviders(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
