import { dayS, periods } from '../../platform/base/periods.ts';
import { since, type Retention } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    signature_requests: SignatureRequestTable;
    signed_documents: SignedDocumentTable;
  }
}

/** A statement that waits for its signature. */
interface SignatureRequestTable {
  nonce: string;
  citizen_id: string;
  /** The PDF that must be signed, in base64. */
  statement: string;
  expires_at: Date;
  used_at: Date | null;
}

/** The signed statement that raised a citizen's level. */
interface SignedDocumentTable {
  citizen_id: string;
  /** `pdf`: the signature stands inside the file; `cms`: the file is the signature. */
  form: 'pdf' | 'cms';
  /** Both files in base64. */
  statement: string;
  file: string;
  certificate_serial: string;
  certificate_issuer: string;
  certificate_fingerprint: string;
  signed_at: Date;
}

/** How long the rows of these tables stay. */
export const tables = {
  signature_requests: since('expires_at', periods.signatureRecordDays * dayS, 'horas_declaraciones'),
  signed_documents: null,
} as const satisfies Readonly<Record<string, Retention>>;
