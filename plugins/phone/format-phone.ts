import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Formats a number internationally, e.g. `+598 99 123 456`. Returns `null` if it is not valid in any country. */
export function formatPhone(typed: string): string | null {
  const number = parsePhoneNumberFromString(typed);
  return number?.isValid() ? number.formatInternational() : null;
}
