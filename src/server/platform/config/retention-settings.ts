import { portalConstants } from '../../../contract/constants.ts';
import { defineSetting, createWholeNumberParser } from './setting-values.ts';

/**
 * Retention periods of personal data. The minimum is the time for which a link, an undo or a delivery needs the data. The maximum is the longest time
 * that data minimisation allows for the purpose. Periods without a setting are in base/fixed-periods.ts.
 */
export const retentionSettings = {
  SESSIONS_DAYS: defineSetting('1', createWholeNumberParser(1, 30), 'Retention of ended sessions in days, 1 to 30.'),
  MAILS_DAYS: defineSetting(
    '30',
    createWholeNumberParser(7, 365),
    'Retention of mails in days, sent or not, 7 to 365. The minimum covers an outage of the mail server.',
  ),
  LINKS_DAYS: defineSetting(
    '30',
    createWholeNumberParser(1, 365),
    'Retention of expired links in days, 1 to 365. Within it, a citizen who opens an old link sees that it was used.',
  ),
  EMAIL_CHANGES_DAYS: defineSetting(
    '30',
    createWholeNumberParser(10, 90),
    'Retention of unconfirmed e-mail addresses in days, 10 to 90. The minimum covers the lifetime of the link and the time to object.',
  ),
  CHANGES_DAYS: defineSetting(
    '14',
    createWholeNumberParser(11, 90),
    'Retention of replaced credentials and contact data in days, 11 to 90. The minimum covers the link that undoes the change.',
  ),
  DEVICES_DAYS: defineSetting(
    '365',
    createWholeNumberParser(30, 400),
    'Retention of known browsers in days after their latest sign-in, 30 to 400 (the maximum lifetime of a cookie).',
  ),
  FOREIGN_DAYS: defineSetting(
    '365',
    createWholeNumberParser(30, 1_095),
    'Retention of accounts from foreign identity providers in days after the latest sign-in, 30 to 1095.',
  ),
  MESSAGES_YEARS: defineSetting(
    String(portalConstants.messageRetentionYears),
    createWholeNumberParser(1, 5),
    'Retention of contact messages and feedback in years, 1 to 5.',
  ),
  CALLS_YEARS: defineSetting(
    String(portalConstants.messageRetentionYears),
    createWholeNumberParser(1, 5),
    'Retention of video calls in years after their date, 1 to 5.',
  ),
  AUDIT_ORIGIN_DAYS: defineSetting(
    '365',
    createWholeNumberParser(30, 1_825),
    'Retention of network address and browser in the audit log in days, 30 to 1825. Afterwards only their hash remains, and the seals stay valid.',
  ),
  STILLS_DAYS: defineSetting(
    '30',
    createWholeNumberParser(1, 365),
    'Retention of pictures taken in video calls in days, 1 to 365.',
  ),
} as const;

export type RetentionSetting = keyof typeof retentionSettings;

type RetentionPeriods = Readonly<Record<RetentionSetting, number>>;

export function pickRetentionPeriods(values: RetentionPeriods): RetentionPeriods {
  const names = Object.keys(retentionSettings) as readonly RetentionSetting[]; // the cast is needed because `Object.keys` loses the key type
  return Object.fromEntries(names.map((name) => [name, values[name]])) as RetentionPeriods;
}
