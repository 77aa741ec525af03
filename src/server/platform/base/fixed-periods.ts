/** Duration of a lease after its last renewal, in seconds. Only the holder of a lease may do the corresponding work. */
export const leaseDurationS = 600;

/**
 * Retention periods and link lifetimes without a setting. The purge, mails and texts share them. Periods with a setting
 * are in config/retention-settings.ts.
 */
export const fixedRetentionPeriods = {
  /** Lifetime of the 'No fui yo' link, in days. */
  disavowDays: 10,
  /** Retention of an expired signature request, in days. */
  signatureRecordDays: 1,
  /** Period in which failed attempts are counted, in days. */
  throttleDays: 1,
  languageDays: 365,
  /** Lifetime of an application's grant and refresh token, in days. Both end earlier if the session ends. */
  grantDays: 14,
  /** Maximum retention of saved progress, in days. The format of flows has the same limit. */
  savedFlowDays: 30,
  resetLinkMin: 30,
  /** Lifetime of an ID Token, in minutes. As the `id_token_hint` of a logout, it is accepted until the end of its session. */
  idTokenMin: 10,
  /** Time in which a document must be signed and submitted, in minutes. */
  signatureMin: 30,
  /** Retention of the signaling messages of a call, in minutes. */
  roomSignalMin: 60,
  /** Time in which the owner of a verified address may object to a new address that an agent set, in hours. */
  objectionH: 48,
  secondAgentDays: 7,
  /** Time for which replaced modules of definitions are still served to open pages, in days. */
  oldModuleDays: 1,
  longestDelayMin: 15,
} as const;

export const secondsPerDay = 24 * 60 * 60;
export const secondsPerHour = 60 * 60;
