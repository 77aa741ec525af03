import {
  get,
  post,
  remove,
  allRoles,
  signedInRoles,
  type Operation,
  type ErrorCodesByOperation,
  managedAccountAccess,
} from '../operation.ts';
import { list, nullableText, object, text, optionalText } from '../schema-builders.ts';

const ownConsentAccess = { roles: signedInRoles, limit: 'accountAct' } as const;

export const operations = {
  getConsentClient: get('/rest/clients/:client/', {
    query: ['scopes', 'next'],
    answer: 'consentClient',
    roles: signedInRoles,
    allowedBeforeFactor: true,
    summary:
      'Returns the application that requests the consent of the signed-in citizen, or 404 for any other. Without `next`, returns any registered application.',
  }),
  giveConsent: post('/oidc/v1/consent', {
    host: 'broker',
    body: 'consent',
    answer: 'location',
    ...ownConsentAccess,
    allowedBeforeFactor: true,
    summary: 'Grants or denies the access that an application requests.',
  }),
  getApplications: get('/rest/aplicaciones/', {
    answer: 'applications',
    roles: signedInRoles,
    summary: 'Returns the applications to which the signed-in citizen has granted access to data.',
  }),
  revokeApplication: remove('/rest/aplicaciones/:consent/', {
    ...ownConsentAccess,
    summary: 'Revokes a consent with its grants and tokens.',
  }),
  revokeScope: remove('/rest/aplicaciones/:consent/datos/:scope/', {
    answer: 'applications',
    ...ownConsentAccess,
    summary: 'Revokes one scope of a consent and the tokens of its application. Returns the remaining consents.',
  }),
  getProviderLink: get('/auth/idp-link', {
    host: 'broker',
    answer: 'providerLink',
    roles: allRoles,
    summary:
      'Returns the person whom a national provider authenticated in this browser and who must decide whether to link the provider, or 404 if there is none.',
  }),
  answerProviderLink: post('/auth/idp-link', {
    host: 'broker',
    body: 'providerLink',
    answer: 'providerLinked',
    roles: allRoles,
    limit: 'activate',
    summary: 'Links the provider to the account with this document and signs in, or discards the provider’s response.',
  }),
  getLinkedProviders: get('/rest/ciudadanos/:id/proveedores/', {
    answer: 'linkedProviders',
    ...managedAccountAccess,
    summary: 'Returns the identity providers that are linked to the account of the signed-in citizen.',
  }),
  unlinkProvider: remove('/rest/ciudadanos/:id/proveedores/:provider/', {
    answer: 'linkedProviders',
    ...managedAccountAccess,
    limit: 'accountAct',
    summary: 'Removes the link to an identity provider and ends its other sessions. Returns the remaining links.',
  }),
} as const satisfies Readonly<Record<string, Operation>>;

export const responses = {
  consentClient: object({
    name: text,
    website_url: optionalText,
    url: optionalText,
    terms_url: optionalText,
    priv_url: optionalText,
    logo: optionalText,
    scopes: list(object({ scope: text, name: text, description: text, value: text })),
    /** Name and document of the signed-in citizen. */
    citizen: text,
    /** Id of the consent request, which the client repeats in the decision. Empty without `next`. */
    state: text,
    /** Attributes of the citizen that the portal returns unchanged with the decision. */
    es_extranjero: { type: 'boolean' },
    rid_alto_sin_2do_factor: { type: 'boolean' },
  }),
  location: object({ location: text }),
  applications: list(
    object({
      id: text,
      client: object({ name: text, logo: optionalText }),
      /** `scope` is missing if the backend can only revoke whole consents. */
      scopes: list(object({ name: text }, { scope: text })),
      /** Time in ISO 8601 with offset. */
      date_given: text,
    }),
  ),
  /** Provider and person to link. `pregunta`: id of the question whether to link them, which the client repeats in the decision. */
  providerLink: object({ pregunta: text, proveedor: text, nombre: text, documento: text }),
  /** `location`: page to open. `next`: the same page, if a session has started. */
  providerLinked: object({ location: nullableText, next: nullableText }),
  /** `desde`: ISO 8601 with offset. */
  linkedProviders: list(object({ identificador: text, nombre: text, desde: text })),
} as const;

export const requestBodies = {
  /** Decision of the citizen (CONS-03). The server reads origin and level from the citizen's record, not from the body. */
  consent: object(
    {
      client_id: { type: 'string', minLength: 1, maxLength: 100 },
      next: { type: 'string', minLength: 1, maxLength: 512 },
      allow: { type: 'boolean' },
    },
    { es_extranjero: { type: 'boolean' }, rid_alto_sin_2do_factor: { type: 'boolean' } },
  ),
  /** `pregunta`: id of the displayed question, which must still be pending, so that the citizen cannot answer a later question unseen. */
  providerLink: object({
    vincular: { type: 'boolean' },
    pregunta: { type: 'string', minLength: 1, maxLength: 64 },
  }),
} as const;

export const errors = {
  answerProviderLink: ['sesion_de_otra_persona'],
} as const satisfies ErrorCodesByOperation<typeof operations>;
