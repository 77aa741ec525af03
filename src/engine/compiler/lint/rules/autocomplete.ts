import { findFieldUiText } from '../../../core/screen-ui-queries.ts';
import type { CheckedScreen } from '../../intermediate-representation.ts';
import { flattenFields, listVisibilityRules } from '../../screen/schema-fields.ts';
import {
  explain,
  findNearestName,
  localize,
  suggestSimilarName,
  type ProblemExplanation,
} from '../../sources/localized-text.ts';
import { createFieldLintRule, createFindingAt } from '../lint-rule.ts';
import { isInScreenFiles } from '../../shared/locate-parts.ts';
import { mayBeVisibleTogether } from './repeated-texts.ts';

export const autocompleteLintRule = createFieldLintRule(
  'ui/autocomplete',
  'W',
  ({ name, screen, file, pointer, locateUi }) => {
    const value = findFieldUiText(screen.ui, name, 'ui:autocomplete');
    const place = { ...locateUi('ui:autocomplete'), related: [{ file: file.path, pointer }] };
    if (value === undefined) return null;
    const wrong = findUnknownToken(value);
    if (wrong === undefined) {
      const wrongKind = explainWrongKind(screen, name, value);
      if (wrongKind) return createFindingAt(place)(wrongKind);
      const repeated = explainRepeatedToken(screen, name, value);
      return repeated && createFindingAt(isInScreenFiles(screen, place) ? place : { file, pointer })(repeated);
    }
    const nearest = findMisspelledToken(wrong.toLowerCase()) ?? findNearestName(hyphenate(wrong), autofillTokens);
    return createFindingAt({
      ...place,
      value: nearest && value.replace(wrong, nearest),
    })(explain`Browsers do not know "${wrong}".
    ${nearest === undefined ? suggestSimilarName(wrong, autofillTokens) : localize`Write "${nearest}". `}Use a value of "autocomplete" from HTML, or "off" to disable autofill.`);
  },
);

/** Autofill tokens of HTML for contact data, which are also part of `autofillTokens` (html.spec.whatwg.org, section "Autofill"). */
const contactTokens =
  'tel tel-country-code tel-national tel-area-code tel-local tel-local-prefix tel-local-suffix tel-extension email impp';
const autofillTokens =
  `on off name honorific-prefix given-name additional-name family-name honorific-suffix nickname organization-title username
  new-password current-password one-time-code organization street-address address-line1 address-line2 address-line3 address-level4
  address-level3 address-level2 address-level1 country country-name postal-code cc-name cc-given-name cc-additional-name cc-family-name
  cc-number cc-exp cc-exp-month cc-exp-year cc-csc cc-type transaction-currency transaction-amount language bday bday-day bday-month
  bday-year sex url photo ${contactTokens}`.split(/\s+/);

/** Common misspellings of autofill tokens, by token. */
const misspellings: Readonly<Record<string, string>> = {
  'given-name': 'first-name firstname',
  'family-name': 'last-name lastname surname',
  'additional-name': 'middle-name',
  tel: 'phone telephone mobile',
  email: 'mail e-mail',
  'current-password': 'password',
  'one-time-code': 'otp code',
  bday: 'birthday birthdate',
  'postal-code': 'zip zip-code',
  'address-level2': 'city',
  'address-level1': 'state',
  'street-address': 'address',
  off: 'none false no',
  on: 'true',
};

function findMisspelledToken(word: string): string | undefined {
  return Object.keys(misspellings).find((token) => misspellings[token]?.split(' ').includes(word));
}

function hyphenate(word: string): string {
  return word
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

function findUnknownToken(value: string): string | undefined {
  const rest = value.trim().split(/\s+/);
  if (rest[0]?.startsWith('section-')) rest.shift();
  if (['shipping', 'billing'].includes(rest[0] ?? '')) rest.shift();
  const isContact = ['home', 'work', 'mobile', 'fax', 'pager'].includes(rest[0] ?? '') && rest.length > 1;
  if (isContact) rest.shift();
  const [word = '', ...more] = rest;
  if (!(isContact ? contactTokens.split(' ') : autofillTokens).includes(word)) return word;
  return more.find((other) => other !== 'webauthn');
}

/** Patterns of the valid tokens, by widget or format. */
const tokensByKind: Readonly<Record<string, RegExp>> = {
  email: /^(?:email|username|off|on)$/,
  tel: /^(?:tel|off|on|username)/,
  phone: /^(?:tel|off|on)/,
  password: /^(?:(?:new|current)-password|one-time-code|off|on)$/,
  textarea: /^(?:street-address|off|on)$/,
  date: /^(?:bday|cc-exp|off|on)$/,
};

function explainWrongKind({ schema, ui }: CheckedScreen, field: string, value: string): ProblemExplanation | null {
  const kind = findFieldUiText(ui, field, 'ui:widget') ?? flattenFields(schema ?? {})[field]?.format;
  const known = typeof kind === 'string' && Object.hasOwn(tokensByKind, kind) ? tokensByKind[kind] : undefined;
  const word = value.split(' ').find((part) => autofillTokens.includes(part)) ?? value;
  if (!known || known.test(word)) return null;
  return explain`"${field}" is for ${String(kind)}, but browsers fill in "${word}".
    Write the "autocomplete" value for this field, or "off".`;
}

/** Pattern of tokens that several fields may have, because one field repeats another, or browsers fill in nothing. */
const repeatableTokens = /(?:^| )(?:off|on|one-time-code|(?:new|current)-password)$/;

function explainRepeatedToken({ schema, ui }: CheckedScreen, field: string, value: string): ProblemExplanation | null {
  if (repeatableTokens.test(value)) return null;
  const fields = flattenFields(schema ?? {});
  const names = Object.keys(fields);
  const refers = (one: string, other: string) => JSON.stringify(fields[one]).includes(`"${other}"`);
  const first = names
    .slice(0, Math.max(0, names.indexOf(field)))
    .find(
      (other) =>
        findFieldUiText(ui, other, 'ui:autocomplete') === value && !refers(field, other) && !refers(other, field),
    );
  if (
    first === undefined ||
    !mayBeVisibleTogether({ visible: listVisibilityRules(ui, first) }, { visible: listVisibilityRules(ui, field) })
  )
    return null;
  return explain`Browsers fill the same value ("${value}") into "${first}" and "${field}".
    Give "${field}" its own "ui:autocomplete" in ui.json, or "off" if HTML has none.`;
}
