/**
 * Names of the challenges in requests and responses (section 7.3 of the specification). Those that begin with `urn:` are also `amr` values of the ID
 * Token.
 */
export const challengeNames = {
  username: 'username',
  password: 'urn:iduruguay:am:password',
  institutionalEmail: 'institutional_email',
  totp: 'urn:iduruguay:am:totp',
  mailedCode: 'urn:iduruguay:am:recoverycode',
  /** One of the citizen's ten recovery codes. `toAmrValues` maps it to `mailedCode` for relying parties. */
  recoveryCode: 'urn:iduruguay:am:recoverycode:backup',
  /** Challenge that requires a second factor other than the mailbox. */
  otherFactor: 'needs_other_factor',
  /** A passkey as second factor. This name is also the `amr` value of a passkey that replaces the password. */
  passkey: 'urn:iduruguay:am:passkey',
  passkeySignIn: 'passkey',
  card: 'urn:iduruguay:am:ci',
  /** A digital wallet instead of document and password. `getWalletAmr` returns its `amr` value. */
  wallet: 'urn:iduruguay:am:wallet',
} as const;

/** Names of steps in section 7.3 of the specification, which are also accepted as names of these challenges. */
export const challengeAliases = { password: 'password', totp: 'totp', mailedCode: 'recoverycode' } as const;

/** Type of the identity card (section 9 of the specification). Requests may use it instead of the challenge's name. */
export const identityCardChallengeAlias = 'ci_electronica';

/** Maps the methods of a session to the `amr` values that section 9 of the specification defines for relying parties. */
export function toAmrValues(amr: readonly string[]): string[] {
  return [
    ...new Set(amr.map((method) => (method === challengeNames.recoveryCode ? challengeNames.mailedCode : method))),
  ];
}

export function getWalletAmr(level: number): string {
  return `${challengeNames.wallet}:${level}`;
}
