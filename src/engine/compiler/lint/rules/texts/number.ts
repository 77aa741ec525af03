import { isObject, type JsonObject } from '../../../../core/json.ts';
import { uiText } from '../../../../core/ui.ts';
import type { Ui } from '../../../../core/definition.ts';
import { listAllFields } from '../../../screen/fields-of-schema.ts';
import { findLengthRange } from '../../../sources/patterns.ts';
import { say } from '../../../sources/say.ts';
import { type Finding, type LintedScreen, type Subject, setRule } from '../../subject.ts';
import { locateTranslation, locateFieldText } from '../../places.ts';
import { listParts } from '../../../explore/screens.ts';
import { namedSteps } from '../ui-steps.ts';

/** Reports texts with another number than the limit of the field, or a step that the journey does not have. */
export const textNumber = setRule('text/number', 'W', (subject) => [
  ...[...subject.screens.values()].flatMap((screen) => checkTextNumberScreen(screen, subject)),
  ...namedSteps(subject),
]);

const limits = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'multipleOf',
];
const said = ['ui:title', 'ui:help', 'ui:placeholder'] as const;

function checkTextNumberScreen(screen: LintedScreen, subject: Subject): readonly Finding[] {
  const { schema, uis } = screen;
  if (!schema) return [];
  const fields = listAllFields(schema);
  return [...uis].flatMap(([language, ui]) => {
    const units = subject.contract.wording?.[language]?.units ?? [];
    const numbersIn = numberFinder(units);
    const ofFields = fields.flatMap(([name, field, , pointer]) => {
      const at = (part: 'ui' | 'messages', key: string) =>
        locateFieldText(subject, screen, { field: name, pointer, part, key, language });
      const named = said.flatMap((key) => {
        const wrong = others(numbersIn(uiText(ui, name, key) ?? ''), listLimits(field));
        const sizes = kilobytesIn(uiText(ui, name, key) ?? '').filter((size) => size !== findMaxKb(field));
        return [
          ...found(wrong, listLimits(field), at('ui', key)),
          ...(findMaxKb(field) === undefined
            ? []
            : found(sizes.map(formatSize), [formatSize(findMaxKb(field) ?? 0)], at('ui', key))),
        ];
      });
      return [
        ...named,
        ...checkMessageNumbers(ui, name, field).flatMap(([key, wrong, right]) =>
          found([wrong], [right], at('messages', key)),
        ),
      ];
    });
    return [
      ...ofFields,
      ...around(
        screen,
        { language, ui, numbersIn },
        fields.flatMap(([, field]) => listLimits(field)),
      ),
    ];
  });
}

/** Returns a function that finds numbers before a unit, e.g. "8 caracteres". */
function numberFinder(units: readonly string[]): (text: string) => readonly number[] {
  if (units.length === 0) return () => [];
  const counted = new RegExp(String.raw`(?<![\d.,])(\d+)\s+(?:${units.join('|')})(?!\p{L})`, 'giu');
  return (text) => [...text.matchAll(counted)].map(([, number]) => Number(number));
}

/** Returns file sizes in KB: "2 MB" is 2048. */
function kilobytesIn(text: string): readonly number[] {
  return [...text.matchAll(/(?<![\d.,])(\d+)\s?([KMG])B\b/g)].map(
    ([, number, unit = 'K']) => Number(number) * 1024 ** 'KMG'.indexOf(unit),
  );
}

function formatSize(kilobytes: number): string {
  return kilobytes % 1024 === 0 ? `${kilobytes / 1024} MB` : `${kilobytes} KB`;
}

function findMaxKb({ file }: JsonObject): number | undefined {
  return isObject(file) && typeof file.maxKb === 'number' ? file.maxKb : undefined;
}

/** Returns the limits of a field, or else the lengths that its pattern allows. */
function listLimits(field: JsonObject): readonly number[] {
  const own = limits.flatMap((keyword) => (typeof field[keyword] === 'number' ? [field[keyword]] : []));
  if (own.length > 0 || typeof field.pattern !== 'string') return own;
  const { min = 0, max = Infinity } = findLengthRange(field.pattern) ?? {};
  return [min, max].filter((size) => size > 1 && size < Infinity);
}

function others(named: readonly number[], known: readonly number[]): readonly number[] {
  return known.length === 0 ? [] : named.filter((number) => !known.includes(number));
}

function found(
  wrong: readonly (number | string)[],
  right: readonly (number | string)[],
  place: Finding | Pick<Finding, 'file' | 'pointer'> | null,
): readonly Finding[] {
  if (!place) return [];
  return wrong.map((number) => ({
    file: place.file,
    pointer: place.pointer,
    message: say`This text says ${number}, and the rule of the field says ${right.join(', ')}.`,
    hint: say`Write the number of the rule; in the message of a rule {limit} stands for it.`,
  }));
}

function checkMessageNumbers(
  ui: Ui,
  name: string,
  field: JsonObject,
): readonly (readonly [key: string, wrong: number, right: number])[] {
  return Object.entries(ui.messages?.[name] ?? {}).flatMap(([key, text]) => {
    const [keyword = ''] = key.split('.');
    const limit = limits.includes(keyword) ? field[keyword] : undefined;
    if (typeof limit !== 'number') return [];
    const numbers = [...text.matchAll(/(?<![\d.,{])\d+/g)].map(([number]) => Number(number));
    return numbers.length === 0 || numbers.includes(limit) ? [] : [[key, numbers[0] ?? 0, limit] as const];
  });
}

/** Checks the texts outside of fields. A size there has to be the limit of some field. */
function around(
  { files }: LintedScreen,
  {
    ui,
    language,
    numbersIn,
  }: { readonly ui: Ui; readonly language: string; readonly numbersIn: (text: string) => readonly number[] },
  known: readonly number[],
): readonly Finding[] {
  const file = files.translations.get(language) ?? files.ui;
  if (!file || !files.ui) return [];
  const base = files.ui;
  const address = (pointer: string) => (file === base ? pointer : locateTranslation(base, pointer));
  return listParts(ui).flatMap(({ texts }) =>
    texts.flatMap(([pointer, text]) =>
      found(others(numbersIn(text), known), [...new Set(known)], { file, pointer: address(pointer) }),
    ),
  );
}
