import { isObject, type JsonObject } from '../../../../core/json.ts';
import { uiText } from '../../../../core/ui.ts';
import { listAllFields } from '../../../screen/fields-of-schema.ts';
import { findLengthRange } from '../../../sources/patterns.ts';
import { explain } from '../../../sources/say.ts';
import type { Subject } from '../../subject.ts';
import {
  eachField,
  eachScreen,
  type Finding,
  locateUiText,
  reportAt,
  setRule,
  type SourceLocation,
} from '../../rule.ts';
import { listParts } from '../../../explore/screens.ts';
import { namedSteps } from '../ui-steps.ts';

const limits =
  'minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems multipleOf'.split(' ');
const said = ['ui:title', 'ui:help', 'ui:placeholder'] as const;

const ofFields = eachField(({ name, schema, screen, locateUi, locateMessage }, subject) =>
  [...screen.uis].flatMap(([language, ui]) => {
    const numbersIn = numberFinder(subject, language);
    const maxKb = isObject(schema.file) && typeof schema.file.maxKb === 'number' ? schema.file.maxKb : undefined;
    const inTexts = said.flatMap((key) => {
      const text = uiText(ui, name, key) ?? '';
      const place = locateUi(key, language);
      const sizes = maxKb === undefined ? [] : kilobytesIn(text).filter((size) => size !== maxKb);
      return [
        ...refuse(others(numbersIn(text), listLimits(schema)), listLimits(schema), place),
        ...refuse(sizes.map(formatSize), [formatSize(maxKb ?? 0)], place),
      ];
    });
    const inMessages = Object.entries(ui.messages?.[name] ?? {}).flatMap(([key, text]) => {
      const [keyword = ''] = key.split('.');
      const limit = limits.includes(keyword) ? schema[keyword] : undefined;
      const numbers = [...text.matchAll(/(?<![\d.,{])\d+/g)].map(([number]) => Number(number));
      if (typeof limit !== 'number' || numbers.includes(limit)) return [];
      return refuse(numbers.slice(0, 1), [limit], locateMessage(key, language));
    });
    return [...inTexts, ...inMessages];
  }),
);

/** Checks the texts outside of fields. A size there has to be the limit of some field. */
const ofParts = eachScreen((screen, subject) => {
  const known = listAllFields(screen.schema ?? {}).flatMap(([, field]) => listLimits(field));
  return [...screen.uis].flatMap(([language, ui]) =>
    listParts(ui).flatMap(({ texts }) =>
      texts.flatMap(([pointer, text]) => {
        const wrong = others(numberFinder(subject, language)(text), known);
        return refuse(wrong, [...new Set(known)], locateUiText(screen, language, pointer));
      }),
    ),
  );
});

/** Reports texts with another number than the limit of the field, or a step that the journey does not have. */
export const textNumber = setRule('text/number', 'W', ofFields, ofParts, namedSteps);

/** Returns a function that finds numbers before a unit, e.g. "8 caracteres". */
function numberFinder({ contract }: Subject, language: string): (text: string) => readonly number[] {
  const { units = [] } = contract.wording?.[language] ?? {};
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

function refuse(
  wrong: readonly (number | string)[],
  right: readonly (number | string)[],
  place: SourceLocation | null,
): readonly Finding[] {
  if (!place) return [];
  return wrong.map((number) =>
    reportAt(place)(explain`This text says ${number}, and the rule of the field says ${right.join(', ')}.
      Write the number of the rule; in the message of a rule {limit} stands for it.`),
  );
}
