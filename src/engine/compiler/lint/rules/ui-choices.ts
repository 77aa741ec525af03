import { isObject, type Json } from '../../../core/json.ts';
import { uiOf } from '../../../core/ui.ts';
import { everyFieldOf } from '../../screen/fields-of-schema.ts';
import { say } from '../../sources/say.ts';
import type { LintRule, Finding, Subject } from '../subject.ts';
import { placeInSchema, placeOfFieldText } from '../places.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import { wordsIn } from '../wording/own-words.ts';

/** Reports labels of choices that are swapped, judged by their keys, and keys that look like labels. */
export const uiChoices: LintRule<Subject> = {
  id: 'ui/choices',
  severity: 'W',
  find: (subject) => [...exchanged(subject), ...namesAsKeys(subject)],
};

function exchanged(subject: Subject): readonly Finding[] {
  return [...subject.screens.values()].flatMap((screen) =>
    everyFieldOf(screen.schema ?? {}).flatMap(([field, { enum: keys }, , pointer]) => {
      const { baseLanguage: language } = subject.set;
      const names = uiOf(screen.ui, field)['ui:enumNames'];
      const place = placeOfFieldText(subject, screen, { field, pointer, part: 'ui', key: 'ui:enumNames', language });
      if (!Array.isArray(keys) || !Array.isArray(names) || !place) return [];
      const order = orderByKeys(keys.map(String), names.map(String));
      const misplaced = order?.findIndex((from, at) => from !== at) ?? -1;
      if (!order || misplaced < 0) return [];
      return {
        ...place,
        message: say`"${String(names[misplaced])}" stands at the place of "${String(keys[misplaced])}": whoever chooses the one gets the other.`,
        hint: say`Write the names in the order of "enum".`,
        fix: [{ file: place.file.path, pointer: place.pointer, value: order.map((from) => String(names[from])) }],
      };
    }),
  );
}

/** Usual syntax of keys: "no_verificada", "uy". */
const slug = /^[a-z\d]+(?:[_.-][a-z\d]+)*$/;

/** Reports a key that looks like a label while most others do not. */
function namesAsKeys(subject: Subject): readonly Finding[] {
  return [...subject.screens.values()].flatMap(({ schema, files }) =>
    everyFieldOf(schema ?? {}).flatMap(([, field, , pointer]): readonly Finding[] => {
      const { enum: own, items } = field;
      const keys = own ?? (isObject(items) ? items['enum'] : undefined);
      if (!files.schema || !Array.isArray(keys) || keys.length < 2) return [];
      const odd = keys.flatMap((key: Json, at) => (typeof key !== 'string' || slug.test(key) ? [] : [{ key, at }]));
      if (odd.length === 0 || odd.length > keys.length / 2) return [];
      const at = `${pointer}/${own === undefined ? 'items/' : ''}enum`;
      return odd.map(({ key, at: index }) => {
        const mended = wordsIn(key).join('_');
        const place = placeInSchema(subject, files.schema as SourceFile, `${at}/${index}`);
        return {
          ...place,
          message: say`"${key}" is written like a text, and the other choices like keys: whatever waits for the key never meets it.`,
          hint: say`Write the key, e.g. "${mended}"; what people read stands in "ui:enumNames".`,
        };
      });
    }),
  );
}

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
