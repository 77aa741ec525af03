import { dayS, periods } from '../../platform/base/periods.ts';
import { since, type StoredTable } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    signature_requests: SignatureRequestTable;
    signed_documents: SignedDocumentTable;
  }
}

interface SignatureRequestTable {
  nonce: string;
  citizen_id: string;
  /** The PDF to sign, in base64. */
  statement: string;
  expires_at: Date;
  used_at: Date | null;
}

/** The signed statement that raised a citizen's level. */
interface SignedDocumentTable {
  citizen_id: string;
  /** `pdf`: the file contains the signature. `cms`: the file is the signature. */
  form: 'pdf' | 'cms';
  /** Both files in base64. */
  statement: string;
  file: string;
  certificate_serial: string;
  certificate_issuer: string;
  certificate_fingerprint: string;
  signed_at: Date;
}

export const tables = {
  signature_requests: {
    data: 'Statement with name and document that waits for its signature',
    why: 'Raising the level by digital signature',
    readers: ['citizen'],
    restored: 'deleted',
    kept: since('expires_at', periods.signatureRecordDays * dayS, 'horas_declaraciones'),
  },
  signed_documents: {
    data: 'Signed statement with name and document, and the certificate that signed it',
    why: 'Proof of the level',
    readers: ['citizen'],
    kept: 'as long as the account',
  },
} as const satisfies Readonly<Record<string, StoredTable>>;
