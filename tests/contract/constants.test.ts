import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { portalConstants } from '../../src/contract/constants.ts';
import { featureFlagDefaults } from '../../src/contract/feature-flags.ts';

const expected: readonly (readonly [name: keyof typeof portalConstants, value: string | number, note: string])[] = [
  ['tokenRefreshMs', 55_000, 'token refresh'],
  ['tokenGraceS', 300, 'period after expiry in which a token can be refreshed'],
  ['logoutWaitMs', 1_000, 'logout redirect'],
  ['logoutLongWaitMs', 10_000, 'logout redirect that waits longer'],
  ['samlLogoutWaitMs', 4_000, 'normal SAML logout'],
  ['snackbarMs', 6_000, 'snackbar'],
  ['slideMs', 500, 'slide animation'],
  ['resendFlashMs', 500, 'confirmation of a resend'],
  ['passwordMinLength', 8, 'minimum, and the weak band'],
  ['passwordMediumLength', 9, 'medium band'],
  ['passwordStrongLength', 16, 'strong band'],
  ['passwordMaxLength', 128, 'a length that every password manager can use'],
  ['passwordBlurDelayMs', 150, 'delay at blur'],
  ['similarityThreshold', 0.7, 'similarity'],
  ['codeLength', 6, 'codes'],
  ['serialNumberLength', 6, 'serial number'],
  ['feedbackCommentMaxLength', 2048, 'comment of the feedback'],
  ['messageRetentionYears', 2, 'contact messages and feedback'],
  ['nameMaxLength', 100, 'names'],
  ['documentMaxLength', 100, 'foreign document'],
  ['uruguayanDocumentMaxDigits', 8, 'Uruguayan document'],
  ['phonePrefix', '+598', 'phone prefix'],
  ['phoneEmptyLength', 4, 'length up to which a phone counts as empty'],
  ['defaultCountry', 'uy', 'default country'],
  ['nationalDocumentType', 'ci', 'national document'],
  ['legacyNationalDocumentType', '68909', 'the numeric code'],
  ['mobileBreakpointPx', 768, 'mobile'],
  ['foreignProviderBreakpointPx', 1024, 'page of a foreign provider'],
  ['timeZone', 'America/Montevideo', 'official time'],
  ['videoCallEntryMinutes', 5, 'entry to a call'],
  ['bookingWindowMonths', 3, 'days that can be booked'],
  ['reservationConfirmHours', 2, 'confirmation of a reservation'],
  ['rejectedCallWarningMonths', 1, 'warning of a rejected call'],
  ['closureGraceDays', 30, 'grace of a closure'],
  ['idleWarningS', 120, 'warning before a session ends'],
  ['qrSizePx', 128, 'QR'],
  ['qrErrorCorrection', 'Q', 'QR'],
  ['cameraDistanceCm', 50, 'distance from the camera'],
];

describe('[CFG-04] constants', () => {
  test.each(expected)('%s is %s (%s)', (name, value) => {
    expect(portalConstants[name]).toBe(value);
  });

  test('are all listed in this test', () => {
    expect(Object.keys(portalConstants).sort()).toEqual(expected.map(([name]) => name).sort());
  });
});

/** Constants that are repeated in files that cannot import them, or in self-contained plugins. */
const repeated: readonly (readonly [name: keyof typeof portalConstants, file: string, text: string])[] = [
  [
    'cameraDistanceCm',
    'schemas/videollamada-entrar/ui.json',
    `a unos ${portalConstants.cameraDistanceCm} centímetros de la cámara`,
  ],
  ['documentMaxLength', 'schemas/_shared/document.json', `"maxLength": ${portalConstants.documentMaxLength},`],
  [
    'feedbackCommentMaxLength',
    'schemas/feedback/schema.json',
    `"maxLength": ${portalConstants.feedbackCommentMaxLength} }`,
  ],
  [
    'foreignProviderBreakpointPx',
    'src/portal/shell/shell.css',
    `(width < ${portalConstants.foreignProviderBreakpointPx / 16}rem)`,
  ],
  ['mobileBreakpointPx', 'src/portal/shell/shell.css', `(width < ${portalConstants.mobileBreakpointPx / 16}rem)`],
  [
    'nameMaxLength',
    'schemas/_shared/person.json',
    `"name": { "type": "string", "maxLength": ${portalConstants.nameMaxLength},`,
  ],
  ['passwordBlurDelayMs', 'plugins/password/widget.tsx', `blurDelayMs = ${portalConstants.passwordBlurDelayMs};`],
  ['passwordMediumLength', 'plugins/password/widget.tsx', `mediumLength = ${portalConstants.passwordMediumLength};`],
  ['passwordStrongLength', 'plugins/password/widget.tsx', `strongLength = ${portalConstants.passwordStrongLength};`],
  ['phoneEmptyLength', 'plugins/phone/widget.tsx', `emptyLength = ${portalConstants.phoneEmptyLength};`],
  ['phonePrefix', 'plugins/phone/widget.tsx', `prefix = '${portalConstants.phonePrefix}';`],
  ['qrErrorCorrection', 'plugins/totp-secret/widget.tsx', `level="${portalConstants.qrErrorCorrection}"`],
  ['qrSizePx', 'plugins/totp-secret/widget.tsx', `size={${portalConstants.qrSizePx}}`],
  ['resendFlashMs', 'src/portal/shell/shell.css', `flash ${portalConstants.resendFlashMs}ms`],
  [
    'serialNumberLength',
    'schemas/elevacion-datos/schema.json',
    `"minLength": ${portalConstants.serialNumberLength}, "maxLength": ${portalConstants.serialNumberLength}`,
  ],
  [
    'similarityThreshold',
    'schemas/registro-contrasena/schema.json',
    `"threshold": ${portalConstants.similarityThreshold}\n`,
  ],
  ['slideMs', 'src/engine/react/form.css', `from-right ${portalConstants.slideMs}ms`],
  [
    'uruguayanDocumentMaxDigits',
    'plugins/document-number/check-digit.ts',
    `{1,${portalConstants.uruguayanDocumentMaxDigits}}`,
  ],
];

describe('[CFG-04] use of constants', () => {
  test.each(repeated)('%s has the same value in %s', async (_, file, text) => {
    expect(await readFile(file, 'utf8')).toContain(text);
  });

  test('every constant is read by code or listed here as repeated in a file', async () => {
    const files = (
      await Promise.all(
        ['src', 'plugins'].map(async (folder) =>
          (await readdir(folder, { recursive: true }))
            .filter((file) => /\.tsx?$/.test(file))
            .map((file) => `${folder}/${file}`),
        ),
      )
    ).flat();
    const sources = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
    const unread = Object.keys(portalConstants).filter(
      (name) => !new RegExp(`\\bportalConstants\\.${name}\\b`).test(sources),
    );
    expect(unread.sort()).toEqual(repeated.map(([name]) => name).sort());
  });
});

test('[CFG-01] featureFlagDefaults has every flag of the specification with its default', () => {
  expect(featureFlagDefaults).toMatchObject({
    slo_saml: true,
    saml_index: false,
    idp_autogestion: false,
    videollamada_5_minutos_antes: true,
    telefono_autogestion: true,
    telefono_en_registro: true,
    telefono_en_videollamada: true,
    telefono_en_agenda: false,
    campo_contrasena: true,
    cabezal: true,
    cierre_de_sesion: true,
    contrasena: true,
    ayuda: true,
    verificar_identidad: true,
  });
});
