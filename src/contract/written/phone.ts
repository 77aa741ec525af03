import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** A phone number as people read it, e.g. `+598 99 123 456`; what is no possible number stays as it was typed. */
export function writtenPhone(typed: string): string {
  const number = parsePhoneNumberFromString(typed);
  return number?.isValid() ? number.formatInternational() : typed;
}
