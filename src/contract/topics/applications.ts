import { get, post, signedIn, type Operation } from '../operation.ts';
import { list, object, optionalText, text } from '../shapes.ts';

export const operations = {
  getConsentClient: get('/rest/clients/:client/', {
    query: ['scopes', 'next'],
    answer: 'consentClient',
    roles: signedIn,
    beforeFactor: true,
    summary:
      'The application that waits for the consent of the citizen who is signed in; 404 for any other. Without `next` any registered application.',
  }),
  giveConsent: post('/oidc/v1/consent', {
    host: 'broker',
    body: 'consent',
    answer: 'location',
    roles: signedIn,
    beforeFactor: true,
    limit: 'accountAct',
    summary: 'Allows or refuses what an application asks for.',
  }),
} as const satisfies Readonly<Record<string, Operation>>;

export const answers = {
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
    /** Identifies this consent request. The citizen's decision repeats it. Empty without `next`. */
    state: text,
    /** Attributes of the citizen that the portal sends back unchanged with the decision. */
    es_extranjero: { type: 'boolean' },
    rid_alto_sin_2do_factor: { type: 'boolean' },
  }),
  location: object({ location: text }),
} as const;

export const bodies = {
  /** CONS-03. The server reads origin and level from the citizen's record and ignores these two values. */
  consent: object(
    {
      client_id: { type: 'string', minLength: 1, maxLength: 100 },
      next: { type: 'string', minLength: 1, maxLength: 512 },
      allow: { type: 'boolean' },
    },
    { es_extranjero: { type: 'boolean' }, rid_alto_sin_2do_factor: { type: 'boolean' } },
  ),
} as const;
