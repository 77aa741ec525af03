import { get, post, remove, everyone, signedIn, type Operation, type ErrorsOf } from '../operation.ts';
import { list, nullableText, object, text } from '../shapes.ts';

/** Sign-in through identity providers (section 4.5). */
export const operations = {
  getProviderLink: get('/auth/idp-link', {
    host: 'broker',
    answer: 'providerLink',
    roles: everyone,
    summary: 'Who came back from a national provider in this browser, and is asked whether to link it; 404 for nobody.',
  }),
  answerProviderLink: post('/auth/idp-link', {
    host: 'broker',
    body: 'providerLink',
    answer: 'providerLinked',
    roles: everyone,
    limit: 'activate',
    summary: 'Links the provider to the account of that document and signs in, or forgets who came back.',
  }),
  getLinkedProviders: get('/rest/ciudadanos/:id/proveedores/', {
    answer: 'linkedProviders',
    roles: signedIn,
    own: 'id',
    manages: true,
    summary: 'The identity providers that are linked to the account of who is signed in.',
  }),
  unlinkProvider: remove('/rest/ciudadanos/:id/proveedores/:provider/', {
    answer: 'linkedProviders',
    roles: signedIn,
    own: 'id',
    manages: true,
    limit: 'accountAct',
    summary: 'Takes a link back: the provider signs in no more. Answers what is left.',
  }),
} as const satisfies Readonly<Record<string, Operation>>;

export const answers = {
  /** The provider and the person to link. `pregunta` identifies this question. The citizen's decision repeats it. */
  providerLink: object({ pregunta: text, proveedor: text, nombre: text, documento: text }),
  /** `location`: the page to open. `next`: the same page, if a session has started. */
  providerLinked: object({ location: nullableText, next: nullableText }),
  /** `desde`: ISO 8601 with offset. */
  linkedProviders: list(object({ identificador: text, nombre: text, desde: text })),
} as const;

export const bodies = {
  /** `pregunta` must identify the displayed question, so that a citizen cannot answer a later one unseen. */
  providerLink: object({ vincular: { type: 'boolean' }, pregunta: { type: 'string', minLength: 1, maxLength: 64 } }),
} as const;

export const errors = {
  answerProviderLink: ['sesion_de_otra_persona'],
} as const satisfies ErrorsOf<typeof operations>;
