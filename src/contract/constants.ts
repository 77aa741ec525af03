/** The constants of section 9 and of sections 5.2 and 5.3 of the specification, each with its unit, in one place. */
export const constants = {
  tokenRefreshMs: 55_000,
  /** Seconds after its end in which a token can still be refreshed: a browser may have slept through it. */
  tokenGraceS: 5 * 60,
  logoutWaitMs: 1_000,
  logoutLongWaitMs: 10_000,
  samlLogoutWaitMs: 4_000,
  snackbarMs: 6_000,
  slideMs: 500,
  resendFlashMs: 500,
  passwordMinLength: 8,
  passwordMediumLength: 9,
  passwordStrongLength: 16,
  passwordMaxLength: 128,
  passwordBlurDelayMs: 150,
  similarityThreshold: 0.7,
  codeLength: 6,
  serialNumberLength: 6,
  feedbackCommentMaxLength: 2048,
  /** Years that contact messages and feedback are kept. */
  messageRetentionYears: 2,
  nameMaxLength: 100,
  documentMaxLength: 100,
  uruguayanDocumentMaxDigits: 8,
  phonePrefix: '+598',
  phoneEmptyLength: 4,
  defaultCountry: 'uy',
  nationalDocumentType: 'ci',
  /** ID Uruguay's numeric code of the document type `ci`. */
  legacyNationalDocumentType: '68909',
  mobileBreakpointPx: 768,
  foreignProviderBreakpointPx: 1024,
  timeZone: 'America/Montevideo',
  videoCallEntryMinutes: 5,
  bookingWindowMonths: 3,
  reservationConfirmHours: 2,
  rejectedCallWarningMonths: 1,
  /** Days between the wish to close an account and its deletion. */
  closureGraceDays: 30,
  /** How long before its end a session is warned of, in seconds. */
  idleWarningS: 120,
  qrSizePx: 128,
  qrErrorCorrection: 'Q',
  cameraDistanceCm: 50,
} as const;

/** Oldest supported versions of browsers. The build, the check of its files and the message to older browsers follow them, and `browserslist` of package.json. */
export const browsers = { chrome: '109', edge: '109', firefox: '115', safari: '15.4' } as const;

/** The same as targets of the bundler. */
export const buildTargets = Object.entries(browsers).map(([name, version]) => `${name}${version}`);
