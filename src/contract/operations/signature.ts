import {
  get,
  post,
  type Operation,
  type ErrorCodesByOperation,
  managedAccountAccess,
  signInChangeAccess,
} from '../operation.ts';
import { object, optionalText, text } from '../schema-builders.ts';

export const operations = {
  requestSignature: get('/acceso/dss/request', {
    answer: 'signatureRequest',
    ...signInChangeAccess,
    summary: 'Returns the URL where the citizen signs: a page of the portal or an external signing platform.',
  }),
  prepareSignature: post('/rest/ciudadanos/:id/firma/declaracion/', {
    body: 'link',
    answer: 'signatureStatement',
    ...managedAccountAccess,
    rejectsRestricted: true,
    limit: 'accountAct',
    summary: 'Returns the statement to sign for a signature request. It stays the same for thirty minutes.',
  }),
  submitSignature: post('/rest/ciudadanos/:id/firma/', {
    screen: 'firma-digital-firmar',
    reads: { uuid: 'string', archivo: 'string' },
    answer: 'levelRaised',
    ...managedAccountAccess,
    limitKb: 3072,
    rejectsRestricted: true,
    limit: 'signature',
    summary:
      'Submits the signed statement (PAdES, or CMS in DER or PEM, at most 2 MB) and raises the level of the account.',
  }),
  getSignedDocument: get('/rest/ciudadanos/:id/firma/', {
    answer: 'signedDocument',
    ...managedAccountAccess,
    summary: 'Returns the signed statement to its owner.',
  }),
} as const satisfies Readonly<Record<string, Operation>>;

/** Files are data URLs with a name, e.g. `data:application/pdf;name=declaracion.pdf;base64,…`. */
export const responses = {
  signatureRequest: object({ url: text }),
  /** `vence`: ISO 8601 with offset. */
  signatureStatement: object({ declaracion: text, vence: text }),
  /** `falta_segundo_factor`: the new level requires a second factor, and none is set up. */
  levelRaised: object({ falta_segundo_factor: { type: 'boolean' } }),
  /** `declaracion`: the signed statement, if the signature is a separate file. `firmado`: ISO 8601 with offset. */
  signedDocument: object({ documento: text, declaracion: optionalText, firmado: text }),
} as const;

export const errors = {
  submitSignature: ['firma_vencida', 'nivel_ya_alcanzado'],
} as const satisfies ErrorCodesByOperation<typeof operations>;
