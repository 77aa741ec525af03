import { uiText } from '../../../core/ui.ts';
import { everyFieldOf } from '../../screen/fields-of-schema.ts';
import { guess, nearest } from '../../sources/near.ts';
import { say } from '../../sources/say.ts';
import type { AnalysisRule, Finding } from '../finding.ts';
import { placeOfFieldText } from '../places.ts';
import type { Subject } from '../subject.ts';

/** A word of `ui:autocomplete` that HTML does not have: browsers and password managers ignore it. */
export const uiAutocomplete: AnalysisRule<Subject> = {
  id: 'ui/autocomplete',
  severity: 'W',
  find: (subject) =>
    [...subject.screens.values()].flatMap((screen) =>
      everyFieldOf(screen.schema ?? {}).flatMap(([field, , , pointer]): readonly Finding[] => {
        const value = uiText(screen.ui, field, 'ui:autocomplete');
        const wrong = value === undefined ? undefined : unknownWord(value);
        const { baseLanguage: language } = subject.set;
        const place = placeOfFieldText(subject, screen, {
          field,
          pointer,
          part: 'ui',
          key: 'ui:autocomplete',
          language,
        });
        if (value === undefined || wrong === undefined || !place) return [];
        const near = meant[wrong.toLowerCase()] ?? nearest(hyphened(wrong), words);
        return [
          {
            ...place,
            message: say`Browsers do not know "${wrong}".`,
            hint: say`${near === undefined ? guess(wrong, words) : say`Write "${near}". `}The words are those of "autocomplete" in HTML; "off" for what nobody should fill in.`,
            ...(near !== undefined && {
              fix: [{ file: place.file.path, pointer: place.pointer, value: value.replace(wrong, near) }],
            }),
          },
        ];
      }),
    ),
};

/** The words of HTML for what a browser may fill in (html.spec.whatwg.org, section "Autofill"). */
const contact =
  'tel tel-country-code tel-national tel-area-code tel-local tel-local-prefix tel-local-suffix tel-extension email impp'.split(
    ' ',
  );
const words = [
  ...'on off name honorific-prefix given-name additional-name family-name honorific-suffix nickname organization-title username new-password current-password one-time-code'.split(
    ' ',
  ),
  ...'organization street-address address-line1 address-line2 address-line3 address-level4 address-level3 address-level2 address-level1 country country-name postal-code'.split(
    ' ',
  ),
  ...'cc-name cc-given-name cc-additional-name cc-family-name cc-number cc-exp cc-exp-month cc-exp-year cc-csc cc-type transaction-currency transaction-amount'.split(
    ' ',
  ),
  ...'language bday bday-day bday-month bday-year sex url photo'.split(' '),
  ...contact,
];

/** Words that people write for another. */
const meant: Readonly<Record<string, string>> = {
  'first-name': 'given-name',
  firstname: 'given-name',
  'last-name': 'family-name',
  lastname: 'family-name',
  surname: 'family-name',
  'middle-name': 'additional-name',
  phone: 'tel',
  telephone: 'tel',
  mobile: 'tel',
  mail: 'email',
  'e-mail': 'email',
  password: 'current-password',
  otp: 'one-time-code',
  code: 'one-time-code',
  birthday: 'bday',
  birthdate: 'bday',
  zip: 'postal-code',
  'zip-code': 'postal-code',
  city: 'address-level2',
  state: 'address-level1',
  address: 'street-address',
  none: 'off',
  false: 'off',
  no: 'off',
  true: 'on',
};

function hyphened(word: string): string {
  return word
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/** The first word that stands where HTML has none of that name. */
function unknownWord(value: string): string | undefined {
  const rest = value.trim().split(/\s+/);
  if (rest[0]?.startsWith('section-')) rest.shift();
  if (['shipping', 'billing'].includes(rest[0] ?? '')) rest.shift();
  const isContact = ['home', 'work', 'mobile', 'fax', 'pager'].includes(rest[0] ?? '') && rest.length > 1;
  if (isContact) rest.shift();
  const [word = '', ...more] = rest;
  if (!(isContact ? contact : words).includes(word)) return word;
  return more.find((other) => other !== 'webauthn');
}
