import type { JsonObject } from '../../../../core/json.ts';
import { listNameWords, listNormalizedWords } from '../../wording/words.ts';
import type { WordingRules } from '../../wording/wording-faults.ts';

/** Pattern of an integer, possibly with a period between thousands. Does not match parts of dates, times and decimal numbers. */
const integer = String.raw`(?<![\d.,:/])(\d{1,3}(?:\.\d{3})+|\d+)(?![\d.,:/]*\d)`;
const unit = String.raw`(?:\s?([\p{L}%]+))?`;

/** Units of file sizes. No number or list is measured in them. */
const sizes = { kb: [], mb: [], gb: [] };

interface CountedField {
  readonly schema: JsonObject;
  /** Name and title of the field. */
  readonly names: readonly string[];
  /** Limits of the field. */
  readonly limits: readonly number[];
}

/** Returns the numbers that a text states as a bound, as in "hasta 3 personas", and that are not limits of the field. */
export function findOtherBounds(
  text: string,
  { schema, names, limits }: CountedField,
  { bounds = [], exclusiveBounds = [], boundsAfter = [], measures = {}, spans = {}, ranges }: Partial<WordingRules>,
): readonly number[] {
  if (limits.length === 0 || bounds.length === 0) return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const neighbours = (limit: unknown, step: number) => (typeof limit === 'number' ? [limit + step] : []);
  const inclusive = [...limits, ...neighbours(exclusiveMinimum, 1), ...neighbours(exclusiveMaximum, -1)];
  const exclusive = [...limits, ...neighbours(minimum, -1), ...neighbours(maximum, 1)];
  const words = names.flatMap(listNameWords);
  const ofSpans = Object.fromEntries(Object.keys(spans).map((span) => [span, [span]]));
  const fields: WordingRules['measures'] = { ...sizes, ...ofSpans, ...measures };
  const measuresField = (measure: string) =>
    fields[measure.toLowerCase()]?.some((name) => words.includes(listNormalizedWords(name).join(' '))) ?? true;
  const find = (pattern: string, accepted: readonly number[]) =>
    [...text.matchAll(new RegExp(pattern, 'giu'))].flatMap(([, ...parts]) => {
      const numbers = parts.flatMap((part) => (/^\d/.test(part ?? '') ? Number(part?.replaceAll('.', '')) : []));
      return parts.some((part) => /^\D/.test(part ?? '') && !measuresField(part ?? ''))
        ? []
        : numbers.filter((number) => !accepted.includes(number));
    });
  const begin = (list: readonly string[]) => String.raw`(?<!\p{L})(?:${list.join('|')})\s+`;
  const pairs = Object.entries(ranges?.ends ?? {}).filter(([start]) => bounds.includes(start));
  const single = bounds.filter((bound) => ranges?.ends[bound] === undefined);
  return [
    ...pairs.flatMap(([start, end]) =>
      find(begin([start]) + integer + unit + String.raw`\s+${end}\s+` + integer + unit, inclusive),
    ),
    ...find(begin(single) + integer + unit, inclusive),
    ...(exclusiveBounds.length === 0 ? [] : find(begin(exclusiveBounds) + integer + unit, exclusive)),
    ...(boundsAfter.length === 0 ? [] : find(`${integer}${unit}\\s+(?:${boundsAfter.join('|')})(?!\\p{L})`, inclusive)),
  ];
}
