/** Wire names of the challenges (section 7.3); those that begin with urn: are the assurance keys of the ID Token as well. */
export const challengeNames = {
  username: 'username',
  password: 'urn:iduruguay:am:password',
  institutionalEmail: 'institutional_email',
  totp: 'urn:iduruguay:am:totp',
  /** A code that was mailed for this sign-in. */
  recoveryCode: 'urn:iduruguay:am:recoverycode',
  /** One of the ten codes that the citizen keeps. Relying parties see it as `recoveryCode`: `publicMethods`. */
  backupCode: 'urn:iduruguay:am:recoverycode:backup',
  /** Asks for a second factor other than the mailbox. */
  otherFactor: 'needs_other_factor',
  /** A passkey after the password; also what a passkey has proven, in either place. */
  passkey: 'urn:iduruguay:am:passkey',
  /** A passkey in place of document and password. */
  passkeySignIn: 'passkey',
  /** The identity card in place of document and password. */
  card: 'urn:iduruguay:am:ci',
  /** A digital wallet in their place; what it has proven is `walletMethod`. */
  wallet: 'urn:iduruguay:am:wallet',
} as const;

/** The steps of section 7.3, by which their challenges are answered as well. */
export const stepNames = { password: 'password', totp: 'totp', recoveryCode: 'recoverycode' } as const;

/** The card's type in section 9 of the specification, by which its challenge is answered as well. */
export const cardType = 'ci_electronica';

/** The methods of a session by the names that relying parties know (section 9 of the specification). */
export function publicMethods(amr: readonly string[]): string[] {
  return [
    ...new Set(amr.map((method) => (method === challengeNames.backupCode ? challengeNames.recoveryCode : method))),
  ];
}

/** What a wallet has proven, by the level of its issuer. */
export function walletMethod(level: number): string {
  return `${challengeNames.wallet}:${level}`;
}
