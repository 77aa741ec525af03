/** Seconds that a lease of work, which one replica does for all, lasts after it was last renewed. */
export const leaseS = 600;

/** How long the server keeps what no setting decides (config/retention-settings.ts), and how long its links work: the purge, the mails and the texts for citizens read it here. */
export const periods = {
  /** Days that the link 'No fui yo' works. */
  disavowDays: 10,
  /** Days that a request to sign is remembered after its end. */
  signatureRecordDays: 1,
  /** Days that tries are counted. */
  throttleDays: 1,
  /** Days that a browser remembers the language that was chosen. */
  languageDays: 365,
  /** Days that an application's grant and refresh token live, unless their session ends first. */
  grantDays: 14,
  /** The most days that a flow may be saved: the format of flows sets the same limit. */
  savedFlowDays: 30,
  /** Minutes that a link for a new password works. */
  resetLinkMin: 30,
  /** Minutes that an ID Token lives; as a hint of who logs out it is taken as long as its session lasts. */
  idTokenMin: 10,
  /** Minutes in which a statement is signed and handed in. */
  signatureMin: 30,
  /** Minutes that the room of a call keeps what two browsers tell each other. */
  roomSignalMin: 60,
  /** Hours in which a proven mailbox may object to a new one that an agent set. */
  objectionH: 48,
  /** Days in which an agent's act waits for a second one. */
  secondAgentDays: 7,
  /** Days for which open pages are served the modules of definitions that went out of service. */
  oldModuleDays: 1,
  longestDelayMin: 15,
} as const;

export const dayS = 24 * 60 * 60;
export const hourS = 60 * 60;
