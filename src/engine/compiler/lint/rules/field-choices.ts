import type { CheckedScreen } from '../../ir.ts';
import { uiText, readFieldUi } from '../../../core/ui.ts';
import { flattenFields, visibleRules } from '../../screen/fields.ts';
import { guess, nearest, type Explanation, explain, say } from '../../sources/say.ts';
import { eachField, fieldRule, reportAt, setRule } from '../rule.ts';
import { mayMeet } from './ui-twice.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { wordsIn } from '../wording/own-words.ts';

const exchanged = eachField(({ name, schema: { enum: keys }, screen, locateUi }) => {
  const names = readFieldUi(screen.ui, name)['ui:enumNames'];
  const place = locateUi('ui:enumNames');
  if (!Array.isArray(keys) || !Array.isArray(names)) return null;
  const order = orderByKeys(keys.map(String), names.map(String));
  const misplaced = order?.findIndex((from, at) => from !== at) ?? -1;
  if (!order || misplaced < 0) return null;
  return reportAt({ ...place, value: order.map((from) => String(names[from])) })(explain`
    "${String(names[misplaced])}" stands at the place of "${String(keys[misplaced])}": whoever chooses the one gets the other.
    Write the names in the order of "enum".`);
});

/** Usual syntax of keys: "no_verificada", "uy". */
const slug = /^[a-z\d]+(?:[_.-][a-z\d]+)*$/;

/** Reports a key that looks like a label while most others do not. */
const namesAsKeys = eachField(({ schema: { enum: own, items }, locate }) => {
  const keys = own ?? (isObject(items) ? items['enum'] : undefined);
  if (!Array.isArray(keys) || keys.length < 2) return null;
  const odd = keys.flatMap((key: Json, at) => (typeof key !== 'string' || slug.test(key) ? [] : [{ key, at }]));
  if (odd.length > keys.length / 2) return null;
  return odd.map(({ key, at }) =>
    reportAt(locate(`${own === undefined ? 'items/' : ''}enum/${at}`))(explain`
      "${key}" is written like a text, and the other choices like keys: whatever waits for the key never meets it.
      Write the key, e.g. "${wordsIn(key).join('_')}"; what people read stands in "ui:enumNames".`),
  );
});

const uiChoices = setRule('ui/choices', 'W', exchanged, namesAsKeys);

/** Returns the order of the labels that matches their keys. Returns `null` if the keys do not determine it, or it is already correct. */
function orderByKeys(keys: readonly string[], names: readonly string[]): readonly number[] | null {
  if (keys.length !== names.length) return null;
  const says = keys.map((key) => names.flatMap((name, at) => (saysKey(key, name) ? [at] : [])));
  const isWrong = (places: readonly number[] | undefined, at: number) => places?.length === 1 && places[0] !== at;
  const wrong = says.flatMap((places, at) => (isWrong(places, at) ? [at] : []));
  if (wrong.length < 2) return null;
  const taken = new Set(wrong.flatMap((at) => says[at] ?? []));
  if (taken.size !== wrong.length || !wrong.every((at) => taken.has(at))) return null; // not a permutation
  return keys.map((_, at) => (wrong.includes(at) ? (says[at]?.[0] ?? at) : at));
}

/** Whether a label contains each word of its key, or its beginning. */
function saysKey(key: string, name: string): boolean {
  const own = wordsIn(name);
  const asked = wordsIn(key.replaceAll('_', ' '));
  return (
    asked.length > 0 &&
    asked.every((word) =>
      own.some(
        (said) => said === word || (word.length > 3 && said.startsWith(word.slice(0, Math.max(4, word.length - 2)))),
      ),
    )
  );
}

const uiAutocomplete = fieldRule('ui/autocomplete', 'W', ({ name, screen, locateUi }) => {
  const value = uiText(screen.ui, name, 'ui:autocomplete');
  const place = locateUi('ui:autocomplete');
  if (value === undefined) return null;
  const wrong = unknownWord(value);
  if (wrong === undefined) {
    const mistake = otherKind(screen, name, value) ?? twin(screen, name, value);
    return mistake && reportAt(place)(mistake);
  }
  const near = findMeant(wrong.toLowerCase()) ?? nearest(hyphened(wrong), words);
  return reportAt({ ...place, value: near && value.replace(wrong, near) })(explain`Browsers do not know "${wrong}".
    ${near === undefined ? guess(wrong, words) : say`Write "${near}". `}The words are those of "autocomplete" in HTML; "off" for what nobody should fill in.`);
});

/** Autofill tokens of HTML (html.spec.whatwg.org, section "Autofill"). */
const contact =
  'tel tel-country-code tel-national tel-area-code tel-local tel-local-prefix tel-local-suffix tel-extension email impp';
const words =
  `on off name honorific-prefix given-name additional-name family-name honorific-suffix nickname organization-title username
  new-password current-password one-time-code organization street-address address-line1 address-line2 address-line3 address-level4
  address-level3 address-level2 address-level1 country country-name postal-code cc-name cc-given-name cc-additional-name cc-family-name
  cc-number cc-exp cc-exp-month cc-exp-year cc-csc cc-type transaction-currency transaction-amount language bday bday-day bday-month
  bday-year sex url photo ${contact}`.split(/\s+/);

/** Common misspellings by token. */
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

function findMeant(word: string): string | undefined {
  return Object.keys(misspellings).find((token) => misspellings[token]?.split(' ').includes(word));
}

function hyphened(word: string): string {
  return word
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

function unknownWord(value: string): string | undefined {
  const rest = value.trim().split(/\s+/);
  if (rest[0]?.startsWith('section-')) rest.shift();
  if (['shipping', 'billing'].includes(rest[0] ?? '')) rest.shift();
  const isContact = ['home', 'work', 'mobile', 'fax', 'pager'].includes(rest[0] ?? '') && rest.length > 1;
  if (isContact) rest.shift();
  const [word = '', ...more] = rest;
  if (!(isContact ? contact.split(' ') : words).includes(word)) return word;
  return more.find((other) => other !== 'webauthn');
}

/** Valid tokens by widget or format. */
const fitting: Readonly<Record<string, RegExp>> = {
  email: /^(?:email|username|off|on)$/,
  tel: /^(?:tel|off|on|username)/,
  phone: /^(?:tel|off|on)/,
  password: /^(?:(?:new|current)-password|one-time-code|off|on)$/,
};

function otherKind({ schema, ui }: CheckedScreen, field: string, value: string): Explanation | null {
  const kind = uiText(ui, field, 'ui:widget') ?? flattenFields(schema ?? {})[field]?.format;
  const known = typeof kind === 'string' && Object.hasOwn(fitting, kind) ? fitting[kind] : undefined;
  const word = value.split(' ').find((part) => words.includes(part)) ?? value;
  if (!known || known.test(word)) return null;
  return explain`"${field}" is for ${String(kind)}, and browsers fill in "${word}".
    Write the word of what the field asks for, or "off".`;
}

/** Tokens that several fields may share, because one repeats the other or nothing is filled in. */
const repeated = /(?:^| )(?:off|on|one-time-code|(?:new|current)-password)$/;

function twin({ schema, ui }: CheckedScreen, field: string, value: string): Explanation | null {
  if (repeated.test(value)) return null;
  const fields = flattenFields(schema ?? {});
  const names = Object.keys(fields);
  const refers = (one: string, other: string) => JSON.stringify(fields[one]).includes(`"${other}"`);
  const first = names
    .slice(0, Math.max(0, names.indexOf(field)))
    .find((other) => uiText(ui, other, 'ui:autocomplete') === value && !refers(field, other) && !refers(other, field));
  if (first === undefined || !mayMeet({ visible: visibleRules(ui, first) }, { visible: visibleRules(ui, field) }))
    return null;
  return explain`Browsers fill the same ("${value}") into "${first}" and "${field}".
    Write the word of each one; "off" where HTML has none.`;
}

export const fieldChoicesRules = [uiAutocomplete, uiChoices];
