/** The public halves of the credentials that authenticators keep for citizens. */
export interface PasskeyTable {
  id: string;
  citizen_id: string;
  /** Base64url, as the authenticator chose it. */
  credential_id: string;
  /** COSE key in base64url. */
  public_key: string;
  /** Uses that the authenticator told of; 0: it does not count. */
  counter: number;
  /** Ways to reach the authenticator, separated by blanks. */
  transports: string;
  device_type: 'singleDevice' | 'multiDevice';
  /** Whether the credential is kept elsewhere too. */
  backed_up: boolean;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

/** One challenge for each purpose and owner: a new one takes the place of the old. */
export interface PasskeyChallengeTable {
  purpose: string;
  /** The id of a session, or the hash of a sign-in. */
  owner: string;
  digest: string;
  expires_at: Date;
  used_at: Date | null;
}
