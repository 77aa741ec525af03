import type { FromSchema } from 'json-schema-to-ts';

const nullableText = { type: ['string', 'null'], maxLength: 2048 } as const;

/** JSON Schemas of the bodies that no screen sends as they are. Bodies of screens stand in schemas/. */
export const bodies = {
  empty: { type: 'object', properties: {}, additionalProperties: false },
  link: {
    type: 'object',
    required: ['uuid'],
    properties: { uuid: { type: 'string', minLength: 1, maxLength: 512 } },
    additionalProperties: false,
  },
  resendPending: {
    type: 'object',
    required: ['reenvio'],
    properties: { reenvio: { type: 'string', minLength: 1, maxLength: 512 } },
    additionalProperties: false,
  },
  /** `uuid`: of the change of address that the set-up belongs to. */
  emailActivate: { type: 'object', properties: { uuid: nullableText }, additionalProperties: false },
  /** Section 7.3; `data_challenge` is checked by the screen of the challenge. */
  signIn: {
    type: 'object',
    required: ['challenge', 'data_challenge'],
    properties: {
      challenge: { type: 'string', maxLength: 100 },
      data_challenge: { type: 'object', additionalProperties: true, maxProperties: 8 },
      extra: {
        anyOf: [
          {
            type: 'object',
            properties: { redirect_url: nullableText, agnt: nullableText, process_state: nullableText },
            additionalProperties: false,
          },
          { type: 'null' },
        ],
      },
      token: nullableText,
    },
    additionalProperties: false,
  },
  logout: {
    type: 'object',
    properties: { redirect_uri: nullableText, state: nullableText },
    additionalProperties: false,
  },
  /** CONS-03. Origin and level of the citizen are read from the server's record, whatever the browser says. */
  consent: {
    type: 'object',
    required: ['client_id', 'next', 'allow'],
    properties: {
      client_id: { type: 'string', minLength: 1, maxLength: 100 },
      next: { type: 'string', minLength: 1, maxLength: 512 },
      allow: { type: 'boolean' },
      es_extranjero: { type: 'boolean' },
      rid_alto_sin_2do_factor: { type: 'boolean' },
    },
    additionalProperties: false,
  },
  token: {
    type: 'object',
    required: ['token'],
    properties: { token: { type: 'string', minLength: 1, maxLength: 4096 } },
    additionalProperties: false,
  },
} as const;

export type BodyName = keyof typeof bodies;
type BodyTypes = { readonly [Name in BodyName]: FromSchema<(typeof bodies)[Name]> };
export type BodyOf<Name extends BodyName> = BodyTypes[Name];
