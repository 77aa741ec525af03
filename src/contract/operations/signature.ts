import {
  defineGetOperation,
  definePostOperation,
  type OperationDeclaration,
  type ErrorCodesByOperation,
  accountManagementAccess,
  signInChangeAccess,
} from '../operation.ts';
import { objectSchema, nullableTextSchema, textSchema } from '../schema-builders.ts';

export const operations = {
  requestSignature: defineGetOperation('/acceso/dss/request', {
    answer: 'signatureRequest',
    ...signInChangeAccess,
    summary: 'Returns the URL where the citizen signs: a page of the portal or an external signing platform.',
  }),
  prepareSignature: definePostOperation('/rest/ciudadanos/:id/firma/declaracion/', {
    body: 'link',
    answer: 'signatureStatement',
    ...accountManagementAccess,
    rejectsRestricted: true,
    limit: 'accountAct',
    summary: 'Returns the statement to sign for a signature request. It stays the same for thirty minutes.',
  }),
  submitSignature: definePostOperation('/rest/ciudadanos/:id/firma/', {
    screen: 'firma-digital-firmar',
    reads: { uuid: 'string', archivo: 'string' },
    answer: 'levelRaised',
    ...accountManagementAccess,
    limitKb: 3072,
    rejectsRestricted: true,
    limit: 'signature',
    summary:
      'Submits the signed statement (PAdES, or CMS in DER or PEM, at most 2 MB) and raises the level of the account.',
  }),
  getSignedDocument: defineGetOperation('/rest/ciudadanos/:id/firma/', {
    answer: 'signedDocument',
    ...accountManagementAccess,
    summary: 'Returns the signed statement to its owner.',
  }),
} as const satisfies Readonly<Record<string, OperationDeclaration>>;

/** Files are data URLs with a name, e.g. `data:application/pdf;name=declaracion.pdf;base64,…`. */
export const responseSchemas = {
  signatureRequest: objectSchema({ url: textSchema }),
  /** `vence`: ISO 8601 with offset. */
  signatureStatement: objectSchema({ declaracion: textSchema, vence: textSchema }),
  /** `falta_segundo_factor`: the new level requires a second factor, and none is set up. */
  levelRaised: objectSchema({ falta_segundo_factor: { type: 'boolean' } }),
  /** `declaracion`: the signed statement, if the signature is a separate file. `firmado`: ISO 8601 with offset. */
  signedDocument: objectSchema({ documento: textSchema, declaracion: nullableTextSchema, firmado: textSchema }),
} as const;

export const errorCodes = {
  submitSignature: ['firma_vencida', 'nivel_ya_alcanzado'],
} as const satisfies ErrorCodesByOperation<typeof operations>;
