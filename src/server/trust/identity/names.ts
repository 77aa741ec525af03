/** Wire names of the challenges (section 7.3); those that begin with urn: are the assurance keys of the ID Token as well. */
export const challengeNames = {
  username: 'username',
  password: 'urn:iduruguay:am:password',
  institutionalEmail: 'institutional_email',
  totp: 'urn:iduruguay:am:totp',
  recoveryCode: 'urn:iduruguay:am:recoverycode',
  /** A passkey after the password; also what a passkey has proven, in either place. */
  passkey: 'urn:iduruguay:am:passkey',
  /** A passkey in place of document and password. */
  passkeySignIn: 'passkey',
  /** The identity card in place of document and password. */
  card: 'urn:iduruguay:am:ci',
  /** A digital wallet in their place; what it has proven is `walletMethod`. */
  wallet: 'urn:iduruguay:am:wallet',
} as const;

/** The card's type in section 9 of the specification, by which its challenge is answered as well. */
export const cardType = 'ci_electronica';

/** What a wallet has proven, by the level of its issuer. */
export function walletMethod(level: number): string {
  return `${challengeNames.wallet}:${level}`;
}
