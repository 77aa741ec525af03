import {
  defineGetOperation,
  definePostOperation,
  defineDeleteOperation,
  allRoles,
  signedInRoles,
  type OperationDeclaration,
  type ErrorCodesByOperation,
  accountManagementAccess,
} from '../operation.ts';
import {
  listSchema,
  nullableInputTextSchema,
  objectSchema,
  textSchema,
  nullableTextSchema,
} from '../schema-builders.ts';

const ownConsentAccess = { roles: signedInRoles, limit: 'accountAct' } as const;

export const operations = {
  getConsentClient: defineGetOperation('/rest/clients/:client/', {
    query: ['scopes', 'next'],
    answer: 'consentClient',
    roles: signedInRoles,
    allowedBeforeFactor: true,
    summary:
      'Returns the application that requests the consent of the signed-in citizen, or 404 for any other. Without `next`, returns any registered application.',
  }),
  giveConsent: definePostOperation('/oidc/v1/consent', {
    host: 'broker',
    body: 'consent',
    answer: 'location',
    ...ownConsentAccess,
    allowedBeforeFactor: true,
    summary: 'Grants or denies the access that an application requests.',
  }),
  getApplications: defineGetOperation('/rest/aplicaciones/', {
    answer: 'applications',
    roles: signedInRoles,
    summary: 'Returns the applications to which the signed-in citizen has granted access to data.',
  }),
  revokeApplication: defineDeleteOperation('/rest/aplicaciones/:consent/', {
    ...ownConsentAccess,
    summary: 'Revokes a consent with its grants and tokens.',
  }),
  revokeScope: defineDeleteOperation('/rest/aplicaciones/:consent/datos/:scope/', {
    answer: 'applications',
    ...ownConsentAccess,
    summary: 'Revokes one scope of a consent and the tokens of its application. Returns the remaining consents.',
  }),
  getProviderLink: defineGetOperation('/auth/idp-link', {
    host: 'broker',
    answer: 'providerLink',
    roles: allRoles,
    summary:
      'Returns the person whom a national provider authenticated in this browser and who must decide whether to link the provider, or 404 if there is none.',
  }),
  answerProviderLink: definePostOperation('/auth/idp-link', {
    host: 'broker',
    body: 'providerLink',
    answer: 'providerLinked',
    roles: allRoles,
    limit: 'activate',
    summary: 'Links the provider to the account with this document and signs in, or discards the provider’s response.',
  }),
  getLinkedProviders: defineGetOperation('/rest/ciudadanos/:id/proveedores/', {
    answer: 'linkedProviders',
    ...accountManagementAccess,
    summary: 'Returns the identity providers that are linked to the account of the signed-in citizen.',
  }),
  unlinkProvider: defineDeleteOperation('/rest/ciudadanos/:id/proveedores/:provider/', {
    answer: 'linkedProviders',
    ...accountManagementAccess,
    limit: 'accountAct',
    summary: 'Removes the link to an identity provider and ends its other sessions. Returns the remaining links.',
  }),
} as const satisfies Readonly<Record<string, OperationDeclaration>>;

export const responseSchemas = {
  consentClient: objectSchema({
    name: textSchema,
    website_url: nullableTextSchema,
    url: nullableTextSchema,
    terms_url: nullableTextSchema,
    priv_url: nullableTextSchema,
    logo: nullableTextSchema,
    scopes: listSchema(
      objectSchema({ scope: textSchema, name: textSchema, description: textSchema, value: textSchema }),
    ),
    /** Name and document of the signed-in citizen. */
    citizen: textSchema,
    /** Id of the consent request, which the client repeats in the decision. Empty without `next`. */
    state: textSchema,
    /** Attributes of the citizen. The client repeats these in the decision. */
    es_extranjero: { type: 'boolean' },
    rid_alto_sin_2do_factor: { type: 'boolean' },
  }),
  location: objectSchema({ location: textSchema }),
  applications: listSchema(
    objectSchema({
      id: textSchema,
      client: objectSchema({ name: textSchema, logo: nullableTextSchema }),
      /** `scope` is missing if the backend can only revoke whole consents. */
      scopes: listSchema(objectSchema({ name: textSchema }, { scope: textSchema })),
      /** Time in ISO 8601 with offset. */
      date_given: textSchema,
    }),
  ),
  /** Provider and person to link. `pregunta`: id of the question whether to link them, which the client repeats in the decision. */
  providerLink: objectSchema({
    pregunta: textSchema,
    proveedor: textSchema,
    nombre: textSchema,
    documento: textSchema,
  }),
  /** `location`: page to open. `next`: the same page, if a session has started. */
  providerLinked: objectSchema({ location: nullableInputTextSchema, next: nullableInputTextSchema }),
  /** `desde`: ISO 8601 with offset. */
  linkedProviders: listSchema(objectSchema({ identificador: textSchema, nombre: textSchema, desde: textSchema })),
} as const;

export const requestBodySchemas = {
  /** Decision of the citizen (CONS-03). The server reads origin and level from the citizen's record, not from the body. */
  consent: objectSchema(
    {
      client_id: { type: 'string', minLength: 1, maxLength: 100 },
      next: { type: 'string', minLength: 1, maxLength: 512 },
      allow: { type: 'boolean' },
    },
    { es_extranjero: { type: 'boolean' }, rid_alto_sin_2do_factor: { type: 'boolean' } },
  ),
  /** `pregunta`: id of the displayed question, which must still be pending, so that the citizen cannot answer a later question unseen. */
  providerLink: objectSchema({
    vincular: { type: 'boolean' },
    pregunta: { type: 'string', minLength: 1, maxLength: 64 },
  }),
} as const;

export const errorCodes = {
  answerProviderLink: ['sesion_de_otra_persona'],
} as const satisfies ErrorCodesByOperation<typeof operations>;
