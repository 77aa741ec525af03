import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** A number as it is read in its country, e.g. `+598 99 123 456`; null when it is no possible number of any. */
export function formatPhone(typed: string): string | null {
  const number = parsePhoneNumberFromString(typed);
  return number?.isValid() ? number.formatInternational() : null;
}
