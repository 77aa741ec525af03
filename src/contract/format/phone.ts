import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Formats a phone number, e.g. `+598 99 123 456`. Returns an invalid number unchanged. */
export function formatPhone(typed: string): string {
  const number = parsePhoneNumberFromString(typed);
  return number?.isValid() ? number.formatInternational() : typed;
}
