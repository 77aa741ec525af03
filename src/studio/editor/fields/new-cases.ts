import { setValue, valueAt } from '../../../engine/core/field-path.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import { fill } from '../../../engine/core/messages.ts';
import type { StudioCases, StudioEdit, StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { valueIn } from '../pending.ts';
import { isItems, isRequired, lastStep } from './field-place.ts';
import { chainOf, keywordOf, valueOf, type NewField } from './new-field.ts';

/** Edits of test cases for a new field: a value in the existing cases if it is required, and a case that its rule rejects. */
export function newFieldCases(
  set: StudioSet,
  screen: string,
  field: NewField,
  cases: StudioCases,
): readonly StudioEdit[] {
  const good = goodOf(field);
  const put = (values: Json | undefined, at: string): readonly StudioEdit[] =>
    good === undefined
      ? []
      : holdersIn(set, screen, field.within, values).map((place) => ({
          pointer: `${at}${place}/${escapePointer(field.name)}`,
          value: good,
        }));
  const top = field.within.split('.')[0] ?? '';
  const rows = valueIn({ ...set, files: { [cases.file]: cases } }, cases.file, '/cases');
  const ofCases = Object.entries(isObject(rows) ? (rows as JsonObject) : {}).flatMap(([name, row]) => {
    const { data, with: others } = isObject(row) ? (row as JsonObject) : {};
    const at = `/cases/${escapePointer(name)}`;
    const isAbout = top !== '' && isObject(others) && top in others; // values that replace those of the file
    return [...(isObject(data) ? put(data, `${at}/data`) : []), ...(isAbout ? put(others, `${at}/with`) : [])];
  });
  return [...put(cases.data as JsonObject, '/data'), ...ofCases, ...refusedCase(set, screen, field, cases)];
}

/** Returns the name of a new field in the values and messages of a case, at the first item of each list. */
export function nameInCase(set: StudioSet, screen: string, field: NewField): string {
  const [name, leaf] = chainOf(field).at(-1) ?? ['', field];
  const steps = name.split('.');
  const isNewList = leaf !== field && field.kind === 'list';
  return steps
    .map((step, index) => {
      const whole = steps.slice(0, index + 1).join('.');
      return isItems(set, screen, whole) || (isNewList && index === steps.length - 2) ? '0' : step;
    })
    .join('.');
}

function refusedCase(set: StudioSet, screen: string, field: NewField, cases: StudioCases): readonly StudioEdit[] {
  const [, leaf] = chainOf(field).at(-1) ?? ['', field];
  if (leaf.rule === 'none') return [];
  const name = nameInCase(set, screen, field);
  const [top = ''] = name.split('.');
  const holder = name.slice(0, Math.max(name.lastIndexOf('.'), 0));
  // Take valid values for the other fields of its group.
  const filled = cases.list.find(
    ({ data, errors }) => Object.keys(errors).length === 0 && valueAt(data, holder) !== undefined,
  );
  const around = filled?.data[top];
  const values: Record<string, unknown> = around === undefined ? {} : { [top]: around };
  setValue(values, name, valueOf(leaf, leaf.bad));
  const bad: JsonObject = {
    note: t('refusedCase', { field: leaf.label.es }),
    with: values as JsonObject,
    errors: { [name]: messageOf(set, leaf) },
  };
  return [{ pointer: `/cases/${escapePointer(caseName(cases, lastStep(name), leaf))}`, value: bad }];
}

/** Returns a valid value of a required field, or `undefined` for an optional one. */
function goodOf(field: NewField): Json | undefined {
  if (!field.required) return undefined;
  const inner = field.inner ? goodOf(field.inner) : undefined;
  const held: JsonObject | undefined = field.inner && inner !== undefined ? { [field.inner.name]: inner } : undefined;
  if (field.kind === 'group') return held;
  return field.kind === 'list' ? [held ?? {}] : valueOf(field, field.good);
}

/** Returns pointers to a group, or to each item of a list, in the values of a case. */
function holdersIn(set: StudioSet, screen: string, within: string, values: Json | undefined): readonly string[] {
  const steps = within === '' ? [] : within.split('.');
  let holders: readonly (readonly [at: string, value: Json | undefined])[] = [['', values]];
  steps.forEach((step, index) => {
    const name = steps.slice(0, index + 1).join('.');
    holders = holders.flatMap(([at, value]) => {
      if (isItems(set, screen, name))
        return Array.isArray(value) ? value.map((item: Json, place) => [`${at}/${place}`, item] as const) : [];
      const held = isObject(value) ? (value as JsonObject)[step] : undefined;
      const isThere = held !== undefined || isRequired(set, screen, name);
      return isThere ? [[`${at}/${escapePointer(step)}`, held] as const] : [];
    });
  });
  return holders.map(([at]) => at);
}

function messageOf(set: StudioSet, field: NewField): string {
  const keyword = keywordOf(field.rule);
  return field.message.es === ''
    ? fill(set.messages['es']?.[keyword] ?? '', { limit: field.parameter })
    : field.message.es;
}

function caseName({ list }: StudioCases, name: string, { rule }: NewField): string {
  const plain = `${name}-${rule}`.toLowerCase().replaceAll('_', '-');
  const isFree = (candidate: string) => list.every((known) => known.name !== candidate);
  const numbered = [plain, ...Array.from({ length: 99 }, (_, index) => `${plain}-${index + 2}`)];
  return numbered.find(isFree) ?? plain;
}
