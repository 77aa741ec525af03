import { constants } from '../../../contract/constants.ts';
import { setting, whole } from './setting-values.ts';

/**
 * Retention periods of personal data that an operator may choose. The name ends with the unit. The minimum keeps what a link, an undo or a delivery
 * still needs. The maximum is what the purpose justifies (data minimisation). Periods without a setting are in base/periods.ts.
 */
export const retentionSettings = {
  SESSIONS_DAYS: setting('1', whole(1, 30), 'Days for which an ended session is remembered, 1 to 30.'),
  MAILS_DAYS: setting(
    '30',
    whole(7, 365),
    'Days for which mails are kept, sent or not, 7 to 365: a mail server may be down for some days.',
  ),
  LINKS_DAYS: setting(
    '30',
    whole(1, 365),
    'Days for which a link of a mail is remembered after its end, so that a late click hears that it was used, 1 to 365.',
  ),
  EMAIL_CHANGES_DAYS: setting(
    '30',
    whole(10, 90),
    'Days for which a new address that was not confirmed is kept, 10 to 90: longer than its link and an objection take.',
  ),
  CHANGES_DAYS: setting(
    '14',
    whole(11, 90),
    'Days for which credentials and contact data that were replaced are kept, 11 to 90: longer than the link that undoes the change works.',
  ),
  DEVICES_DAYS: setting(
    '365',
    whole(30, 400),
    'Days for which a browser is known after its latest sign-in, 30 to 400, the longest life of a cookie.',
  ),
  FOREIGN_DAYS: setting(
    '365',
    whole(30, 1_095),
    'Days after the latest sign-in for which the record of somebody of a foreign provider is kept, 30 to 1095.',
  ),
  MESSAGES_YEARS: setting(
    String(constants.messageRetentionYears),
    whole(1, 5),
    'Years for which contact messages and feedback are kept, 1 to 5.',
  ),
  CALLS_YEARS: setting(
    String(constants.messageRetentionYears),
    whole(1, 5),
    'Years for which video calls are kept after their day, 1 to 5.',
  ),
  STILLS_DAYS: setting(
    '30',
    whole(1, 365),
    'Days for which the pictures are kept that citizens took in a call at the agent’s request, 1 to 365.',
  ),
} as const;

export type RetentionSetting = keyof typeof retentionSettings;

type RetentionPeriods = Readonly<Record<RetentionSetting, number>>;

export function pickRetention(values: RetentionPeriods): RetentionPeriods {
  const names = Object.keys(retentionSettings) as readonly RetentionSetting[]; // `Object.keys` loses the key type
  return Object.fromEntries(names.map((name) => [name, values[name]])) as RetentionPeriods;
}
