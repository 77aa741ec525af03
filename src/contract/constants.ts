/** Constants of sections 5.2, 5.3 and 9 of the specification. The name of a quantity contains its unit. */
export const portalConstants = {
  tokenRefreshMs: 55_000,
  /** Seconds for which an expired token can still be refreshed, for example after a computer was asleep. */
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
  messageRetentionYears: 2,
  nameMaxLength: 100,
  documentMaxLength: 100,
  uruguayanDocumentMaxDigits: 8,
  phonePrefix: '+598',
  phoneEmptyLength: 4,
  defaultCountry: 'uy',
  nationalDocumentType: 'ci',
  /** Numeric code of ID Uruguay for the document type `ci`. */
  legacyNationalDocumentType: '68909',
  mobileBreakpointPx: 768,
  foreignProviderBreakpointPx: 1024,
  timeZone: 'America/Montevideo',
  videoCallEntryMinutes: 5,
  bookingWindowMonths: 3,
  reservationConfirmHours: 2,
  rejectedCallWarningMonths: 1,
  closureGraceDays: 30,
  /** Seconds before the end of an idle session at which the citizen is warned. */
  idleWarningS: 120,
  qrSizePx: 128,
  qrErrorCorrection: 'Q',
  cameraDistanceCm: 50,
} as const;

/** Oldest supported browser versions. Used by the build, its checks and the message for older browsers. `browserslist` in package.json must match. */
export const oldestSupportedBrowsers = { chrome: '109', edge: '109', firefox: '115', safari: '15.4' } as const;

export const browserBuildTargets = Object.entries(oldestSupportedBrowsers).map(
  ([name, version]) => `${name}${version}`,
);

/** Properties of the items of a response that a select takes as value and label of its choices. The first existing one applies. */
export const choiceKeys = { value: ['codigo', 'id', 'hora_inicio'], label: ['nombre'] } as const;
