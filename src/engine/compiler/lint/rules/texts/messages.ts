import { listFieldMessageKeys } from '../../../check/ui/ui-check-context.ts';
import { listPlaceholders } from '../../../../core/messages.ts';
import { findFieldUiText, readFieldUi } from '../../../../core/screen-ui-queries.ts';
import { escapePointer, findByPointer } from '../../../../core/json-pointer.ts';
import { type PluginIndex, pickTextEntries } from '../../../files/index-plugins.ts';
import { isValidationKeyword, listAllFields } from '../../../screen/schema-fields.ts';
import {
  listNearNames,
  suggestSimilarName,
  findNearestName,
  explain,
  localize,
} from '../../../sources/localized-text.ts';
import type { LintInput } from '../../lint-input.ts';
import {
  type FindViolations,
  type LintFinding,
  type LintedField,
  checkEachFieldWith,
  checkEachScreenWith,
  listLintedFields,
  listScreenTexts,
  createFindingAt,
  createDefinitionsLintRule,
  createLocalLintRule,
} from '../../lint-rule.ts';
import type { SourceLocation } from '../../../sources/source-file.ts';
import { type JsonObject, isObject } from '../../../../core/json.ts';
import { findPatternLengthRange } from '../../../sources/regexp-analysis.ts';
import type { WordingRules } from '../../wording/wording-faults.ts';
import { type CalendarWords, findOtherDates } from '../../wording/written-dates.ts';
import { findOtherBounds } from './number-bounds.ts';
import { reportWrongStepMentions } from '../repeated-texts.ts';
import { reportOtherPatternNumbers } from './pattern-numbers.ts';

const textPlaceholder = createDefinitionsLintRule('text/placeholder', 'E', (subject) => [
  ...listMessages(subject).flatMap(({ key, text, place }) => findUnfilledPlaceholders(key, text, place, subject)),
  ...[...subject.set.catalogues.values()].flatMap((file) =>
    Object.entries(pickTextEntries(file)).flatMap(([key, text]) =>
      findUnfilledPlaceholders(key, text, { file, pointer: `/${escapePointer(key)}` }, subject),
    ),
  ),
]);

interface Message {
  readonly key: string;
  readonly text: string;
  readonly place: SourceLocation;
  /** All message keys of the field to which this message belongs. */
  readonly known: readonly string[];
}

function listMessages(subject: LintInput): readonly Message[] {
  return listLintedFields(subject).flatMap((field) => {
    const known = listKnownKeys(field, subject.set.plugins);
    return [...field.screen.uis].flatMap(([language, ui]) =>
      Object.entries(ui.messages?.[field.name] ?? {}).map(([key, text]) => {
        return { key, text, place: field.locateMessage(key, language), known };
      }),
    );
  });
}

function listKnownKeys({ name, schema, needed, screen }: LintedField, plugins: PluginIndex): readonly string[] {
  const ofForm = Object.entries(screen.schema ?? {}).flatMap(([keyword, parameters]) => {
    const rule = plugins.rules.get(keyword)?.rule;
    return rule?.level === 'form' && rule.target?.(parameters as never) === name ? [keyword] : []; // cast: each rule has its own parameter type, which `checkPluginRuleKeyword` has validated
  });
  return listFieldMessageKeys(screen.ui, { name, field: schema, needed }, plugins, ofForm);
}

/** Reports patterns whose message does not say which form the value has: without a message, or with the expression itself. */
const patternMessages = checkEachFieldWith(function* (field, { set }) {
  const { name, schema, screen, file, pointer, locate, locateMessage } = field;
  const { 'ui:readonly': isReadonly = schema.readOnly, 'ui:widget': widget } = readFieldUi(screen.ui, name);
  const isOwn = findByPointer(file.value, `${pointer}/pattern`) !== undefined; // if false, a shared definition has the pattern
  if (!isOwn || isReadonly === true || widget === 'hidden') return;
  const general = pickTextEntries(set.catalogues.get(set.baseLanguage))['pattern'];
  for (const [language, ui] of screen.uis) {
    const text = ui.messages?.[name]?.['pattern'];
    if (text === undefined && general !== undefined && language === set.baseLanguage)
      yield createFindingAt(locate('pattern'))(explain`This pattern has no message: people only read "${general}".
        Write in "messages" of ui.json which form the value has, for "${name}" and "pattern".`);
    else if (text?.includes('{pattern}'))
      yield createFindingAt(locateMessage('pattern', language))(explain`This message shows the regular expression.
        Say in words which form the value has.`);
  }
});

const unheardMessages: FindViolations = (subject) => {
  const byPlace = new Map<string, { readonly message: Message; readonly isHeard: boolean }>();
  for (const message of listMessages(subject)) {
    const { key, place, known } = message;
    const at = `${place.file.path} ${place.pointer}`;
    const isHeard = ['type', ...known].some((keyword) => key === keyword || key.startsWith(`${keyword}.`));
    byPlace.set(at, { message, isHeard: isHeard || (byPlace.get(at)?.isHeard ?? false) });
  }
  return [...byPlace.values()].flatMap(({ message: { key, place, known, text: value }, isHeard }) => {
    if (isHeard) return [];
    const nearest = findNearestName(key, known);
    const removal = { file: place.file.path, pointer: place.pointer };
    const renamed = { ...removal, pointer: place.pointer.replace(/[^/]*$/, nearest ?? ''), value };
    return createFindingAt({ ...place, fix: nearest === undefined ? [removal] : [removal, renamed] })(explain`
      The field has no rule "${key}": this message never appears.
      ${suggestSimilarName(key, known)}Remove it, or add the rule to schema.json. Rules here: ${listNearNames(key, known)}.`);
  });
};

const textMessage = createDefinitionsLintRule('text/message', 'W', unheardMessages, patternMessages);

/** Placeholders that messages of standard keywords may use. Messages of other standard keywords may only use `limit`. */
const messageValues: Readonly<Record<string, readonly string[]>> = {
  multipleOf: ['multipleOf'],
  pattern: ['pattern'],
  format: ['format'],
  const: ['allowedValue'],
  enum: ['allowedValues'],
  uniqueItems: ['i', 'j'],
};

function findUnfilledPlaceholders(
  key: string,
  text: string,
  place: SourceLocation,
  { set: { plugins, catalogues, baseLanguage } }: LintInput,
): readonly LintFinding[] {
  const [keyword = ''] = key.split('.');
  const known = isValidationKeyword(keyword)
    ? (messageValues[keyword] ?? (['type', 'items'].includes(keyword) ? [] : ['limit']))
    : (findPluginValues(keyword, plugins) ??
      listPlaceholders(pickTextEntries(catalogues.get(baseLanguage))[key] ?? text));
  return listPlaceholders(text)
    .filter((name) => !known.includes(name))
    .map((name): LintFinding => {
      const nearest = findNearestName(name, known) ?? (known.length === 1 ? known[0] : undefined);
      const value = nearest === undefined ? undefined : text.replaceAll(`{${name}}`, `{${nearest}}`);
      return createFindingAt({ ...place, value })({
        message: localize`The rule "${keyword}" has no value for {${name}}: it would stay empty.`,
        hint:
          known.length === 0
            ? localize`Remove the placeholder.`
            : localize`Its values: ${known.map((one) => `{${one}}`).join(', ')}.`,
      });
    });
}

/** Returns the placeholders of a plugin's own messages for a keyword, and its parameter names. Returns `null` if no plugin provides the keyword. */
function findPluginValues(keyword: string, { rules, byName }: PluginIndex): readonly string[] | null {
  const own = rules.get(keyword);
  if (!own) return null;
  const file = byName.get(own.plugin)?.texts;
  const tables = Object.keys((file?.value ?? {}) as object).map((language) => pickTextEntries(file, language));
  const texts = tables.flatMap(Object.entries<string>).filter(([key]) => `${key}.`.startsWith(`${keyword}.`));
  const placeholders = texts.flatMap(([, text]) => listPlaceholders(text));
  return [...new Set([...placeholders, ...Object.keys((own.rule.parameters['properties'] ?? {}) as object)])];
}

const limitKeywords =
  'minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems multipleOf'.split(' ');
const fieldTextKeys = ['ui:title', 'ui:help', 'ui:placeholder'] as const;

const fieldNumbers = checkEachFieldWith(function* ({ name, schema, screen, locateUi, locateMessage }, subject) {
  const { file } = schema;
  const maxKb = isObject(file) && typeof file.maxKb === 'number' ? file.maxKb : undefined;
  for (const [language, ui] of screen.uis) {
    const wording: Partial<WordingRules> = subject.contract.wording?.[language] ?? {};
    const { calendar } = wording;
    const limits = listLimits(schema);
    const isCounted = ['integer', 'number', 'array'].includes(String(schema.type));
    const counted = { schema, names: [name, findFieldUiText(ui, name, 'ui:title') ?? ''], limits };
    const listBounds = (text: string) => (isCounted ? findOtherBounds(text, counted, wording) : []);
    for (const key of fieldTextKeys) {
      const text = findFieldUiText(ui, name, key) ?? '';
      const place = locateUi(key, language);
      const sizes = maxKb === undefined ? [] : listKilobytes(text).filter((size) => size !== maxKb);
      yield* reportNumbers([...findOtherNumbers(text, limits, subject, language), ...listBounds(text)], limits, place);
      yield* reportNumbers(sizes.map(formatSize), [formatSize(maxKb ?? 0)], place);
      yield* reportOtherDates(text, schema, { place, calendar });
    }
    for (const [key, text] of Object.entries(ui.messages?.[name] ?? {})) {
      const [keyword = ''] = key.split('.');
      const limit = limitKeywords.includes(keyword) ? schema[keyword] : undefined;
      const numbers = [...text.matchAll(/(?<![\d.,{])\d+/g)].map(([number]) => Number(number));
      const place = locateMessage(key, language);
      if (typeof limit === 'number' && !numbers.includes(limit))
        yield* reportNumbers(numbers.slice(0, 1), [limit], place);
      else if (limit === undefined) yield* reportNumbers(listBounds(text), limits, place);
      yield* reportOtherDates(text, schema, { place, calendar });
    }
  }
});

/** Reports dates that are not the constant limits of a date field. */
function reportOtherDates(
  text: string,
  { calendarDate }: JsonObject,
  { place, calendar }: { readonly place: SourceLocation; readonly calendar: CalendarWords | undefined },
): readonly LintFinding[] {
  const bounds = isObject(calendarDate) ? [calendarDate.from, calendarDate.to] : [];
  const limits = bounds.filter(
    (limit): limit is string => typeof limit === 'string' && /^\d{4}-\d\d-\d\d$/.test(limit),
  );
  if (limits.length === 0 || !calendar) return [];
  return findOtherDates(text, limits, calendar).map((date) =>
    createFindingAt(place)(explain`This text says ${date}, but the rule of the field says ${limits.join(', ')}.
      Write the date of the rule, or correct the rule.`),
  );
}

/** Checks sizes in the texts outside of fields. Each size must be the limit of some field. */
const elementNumbers = checkEachScreenWith(function* (screen, subject) {
  const known = [...new Set(listAllFields(screen.schema ?? {}).flatMap(([, field]) => listLimits(field)))];
  for (const { language, pointer, text, locate } of listScreenTexts(screen, subject)) {
    if (/^\/(?:fields|messages|notices)\//.test(pointer)) continue;
    const wrong = findOtherNumbers(text, known, subject, language);
    if (wrong.length > 0) yield* reportNumbers(wrong, known, locate());
  }
});

const textNumber = createLocalLintRule('text/number', 'W', fieldNumbers, elementNumbers, reportOtherPatternNumbers);
const stepNumber = createDefinitionsLintRule('text/number', 'W', reportWrongStepMentions);

/** Returns the numbers before a unit, as in "8 caracteres", that are not limits. Returns none if no limits are known. */
function findOtherNumbers(text: string, known: readonly number[], { contract }: LintInput, language: string) {
  const { units = [] } = contract.wording?.[language] ?? {};
  if (units.length === 0 || known.length === 0) return [];
  const counted = new RegExp(String.raw`(?<![\d.,])(\d+)\s+(?:${units.join('|')})(?!\p{L})`, 'giu');
  return [...text.matchAll(counted)].map(([, number]) => Number(number)).filter((number) => !known.includes(number));
}

/** Returns the file sizes in a text, in KB. "2 MB" is 2048. */
function listKilobytes(text: string): readonly number[] {
  return [...text.matchAll(/(?<![\d.,])(\d+)\s?([KMG])B\b/g)].map(
    ([, number, unit = 'K']) => Number(number) * 1024 ** 'KMG'.indexOf(unit),
  );
}

function formatSize(kilobytes: number): string {
  return kilobytes % 1024 === 0 ? `${kilobytes / 1024} MB` : `${kilobytes} KB`;
}

/** Returns the limits of a field. If it has none, returns the lengths that its pattern allows. */
function listLimits(field: JsonObject): readonly number[] {
  const own = limitKeywords.flatMap((keyword) => (typeof field[keyword] === 'number' ? [field[keyword]] : []));
  if (own.length > 0 || typeof field.pattern !== 'string') return own;
  const { min = 0, max = Infinity } = findPatternLengthRange(field.pattern) ?? {};
  return [min, max].filter((size) => size > 1 && size < Infinity);
}

type Numbers = readonly (number | string)[];

function reportNumbers(wrong: Numbers, right: Numbers, place: SourceLocation): readonly LintFinding[] {
  return wrong.map((number) =>
    createFindingAt(
      place,
    )(explain`This text says ${number}, but the rule of the field says ${[...new Set(right)].join(', ')}.
      Write the number of the rule. The message of a rule can use {limit}.`),
  );
}

export const messageLintRules = [textNumber, stepNumber, textMessage, textPlaceholder];
