import { signedIn, type Call } from '../call.ts';
import { optionalText, text } from '../shapes.ts';

/** What applications may read of a citizen. */
export const applicationsCalls = {
  getConsentClient: {
    method: 'GET',
    path: '/rest/clients/:client/',
    host: 'backend',
    query: ['scopes', 'next'],
    answer: 'consentClient',
    roles: signedIn,
    summary: 'The application that waits for the consent of the citizen who is signed in; 404 for any other.',
  },
  giveConsent: {
    method: 'POST',
    path: '/oidc/v1/consent',
    host: 'broker',
    body: 'consent',
    answer: 'location',
    roles: signedIn,
    summary: 'Allows or refuses what an application asks for.',
  },
} as const satisfies Readonly<Record<string, Call>>;

/** Answers of the calls above. */
export const applicationsAnswers = {
  consentClient: {
    type: 'object',
    required: [
      'name',
      'website_url',
      'url',
      'terms_url',
      'priv_url',
      'logo',
      'scopes',
      'citizen',
      'state',
      'es_extranjero',
      'rid_alto_sin_2do_factor',
    ],
    properties: {
      name: text,
      website_url: optionalText,
      url: optionalText,
      terms_url: optionalText,
      priv_url: optionalText,
      logo: optionalText,
      scopes: {
        type: 'array',
        items: {
          type: 'object',
          required: ['scope', 'name', 'description', 'value'],
          properties: { scope: text, name: text, description: text, value: text },
          additionalProperties: false,
        },
      },
      /** Who is signed in: name and document. */
      citizen: text,
      /** Handle of this very question, which the answer repeats. */
      state: text,
      /** What the consent tells of its citizen: the portal sends it back as it stands here. */
      es_extranjero: { type: 'boolean' },
      rid_alto_sin_2do_factor: { type: 'boolean' },
    },
    additionalProperties: false,
  },
  location: { type: 'object', required: ['location'], properties: { location: text }, additionalProperties: false },
} as const;

/** Bodies of the calls above that no screen sends as they are. */
export const applicationsBodies = {
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
} as const;
