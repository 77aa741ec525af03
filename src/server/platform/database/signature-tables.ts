/** A statement that waits for its signature. */
export interface SignatureRequestTable {
  nonce: string;
  citizen_id: string;
  /** The PDF that must be signed, in base64. */
  statement: string;
  expires_at: Date;
  used_at: Date | null;
}

/** The signed statement that raised a citizen's level. */
export interface SignedDocumentTable {
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
