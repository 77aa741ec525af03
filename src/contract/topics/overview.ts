import { get, post, remove, everyone, signedIn, type Operation, type ErrorsOf } from '../operation.ts';
import { list, object, optionalText, text } from '../shapes.ts';

/** Data of /seguridad in addition to the citizen's record, and the disavowal links of mails. */
export const operations = {
  getForeignCitizen: get('/federated-identity/obtener-mis-datos-idp/:id/', {
    answer: 'citizen',
    roles: ['foreign'],
    own: 'id',
    summary: 'The record of who came by a foreign identity provider; 404 without one.',
  }),
  getActions: get('/rest/ciudadanos/:id/obtener_acciones/', {
    answer: 'actions',
    roles: signedIn,
    own: 'id',
    summary: 'The latest actions on the account of the citizen who is signed in, newest first.',
  }),
  getApplications: get('/rest/aplicaciones/', {
    answer: 'applications',
    roles: signedIn,
    summary: 'The applications that the citizen who is signed in lets read data.',
  }),
  revokeApplication: remove('/rest/aplicaciones/:consent/', {
    roles: signedIn,
    limit: 'accountAct',
    summary: 'Ends what a consent allowed: consent, grants and tokens together.',
  }),
  disavow: post('/account/disavow/', {
    body: 'link',
    answer: 'disavowed',
    roles: everyone,
    limit: 'activate',
    summary: 'Secures the account by the link of a mail about a change that its citizen did not make.',
  }),
} as const satisfies Readonly<Record<string, Operation>>;

export const answers = {
  actions: list(
    object({
      /** `timestamp_access`: ISO 8601 with offset. `responsable`: the citizen, an agent, the system, or unknown. The rest is as in the sessions. */

      id: text,
      timestamp_access: text,
      descripcion: text,
      responsable: text,
      dispositivo: optionalText,
      red: optionalText,
    }),
  ),
  applications: list(
    object({
      id: text,
      client: object({ name: text, logo: optionalText }),
      scopes: list(object({ name: text })),
      /** ISO 8601 with offset. */
      date_given: text,
    }),
  ),
  /** `email`: the masked address that the link for a new password was mailed to. */
  disavowed: object({ email: text }),
} as const;

export const errors = {
  disavow: ['vinculo_invalido'],
} as const satisfies ErrorsOf<typeof operations>;
