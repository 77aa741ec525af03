import { signedIn, type Operation } from '../operation.ts';
import { list, object, optionalText, text } from '../shapes.ts';

/** What applications may read of a citizen. */
export const operations = {
  getConsentClient: {
    method: 'GET',
    path: '/rest/clients/:client/',
    host: 'backend',
    query: ['scopes', 'next'],
    answer: 'consentClient',
    roles: signedIn,
    beforeFactor: true,
    summary:
      'The application that waits for the consent of the citizen who is signed in; 404 for any other. Without `next` any registered application.',
  },
  giveConsent: {
    method: 'POST',
    path: '/oidc/v1/consent',
    host: 'broker',
    body: 'consent',
    answer: 'location',
    roles: signedIn,
    beforeFactor: true,
    summary: 'Allows or refuses what an application asks for.',
  },
} as const satisfies Readonly<Record<string, Operation>>;

/** Answers of the operations above. */
export const answers = {
  consentClient: object({
    name: text,
    website_url: optionalText,
    url: optionalText,
    terms_url: optionalText,
    priv_url: optionalText,
    logo: optionalText,
    scopes: list(object({ scope: text, name: text, description: text, value: text })),
    /** Who is signed in: name and document. */
    citizen: text,
    /** Handle of this very question, which the answer repeats; empty without `next`. */
    state: text,
    /** What the consent tells of its citizen: the portal sends it back as it stands here. */
    es_extranjero: { type: 'boolean' },
    rid_alto_sin_2do_factor: { type: 'boolean' },
  }),
  location: object({ location: text }),
} as const;

/** Bodies of the operations above that no screen sends as they are. */
export const bodies = {
  /** CONS-03. Origin and level of the citizen are read from the server's record, whatever the browser says. */
  consent: object(
    {
      client_id: { type: 'string', minLength: 1, maxLength: 100 },
      next: { type: 'string', minLength: 1, maxLength: 512 },
      allow: { type: 'boolean' },
    },
    { es_extranjero: { type: 'boolean' }, rid_alto_sin_2do_factor: { type: 'boolean' } },
  ),
} as const;
