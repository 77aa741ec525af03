/** Seconds that a lease lasts after its last renewal. Only the holder of a lease does the work named by it. */
export const leaseS = 600;

/**
 * Retention periods and link lifetimes without a setting (those with one are in config/retention-settings.ts). The purge, mails and texts share
 * them.
 */
export const fixedRetentionPeriods = {
  /** Days that the 'No fui yo' link is valid. */
  disavowDays: 10,
  /** Days for which an expired signature request is kept. */
  signatureRecordDays: 1,
  /** Days for which failed attempts are counted. */
  throttleDays: 1,
  languageDays: 365,
  /** Lifetime of an application's grant and refresh token, in days, unless their session ends first. */
  grantDays: 14,
  /** Maximum number of days that progress may be saved. The format of flows has the same limit. */
  savedFlowDays: 30,
  resetLinkMin: 30,
  /** Lifetime of an ID Token, in minutes. As the `id_token_hint` of a logout, it is accepted until the end of its session. */
  idTokenMin: 10,
  /** Minutes within which a document must be signed and submitted. */
  signatureMin: 30,
  /** Minutes for which the signaling messages of a call are kept. */
  roomSignalMin: 60,
  /** Hours in which the owner of a verified address may object to a new address that an agent set. */
  objectionH: 48,
  secondAgentDays: 7,
  /** Days for which replaced modules of definitions are still served to open pages. */
  oldModuleDays: 1,
  longestDelayMin: 15,
} as const;

export const dayS = 24 * 60 * 60;
export const hourS = 60 * 60;
