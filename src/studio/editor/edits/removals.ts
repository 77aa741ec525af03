import { isWithin } from '../../../engine/core/field-path.ts';
import { escapePointer, valueAt } from '../../../engine/core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { FileChange, StudioCases, StudioEdit, StudioSet, VersionedFile } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { dependencePlaces } from '../fields/dependent-choices.ts';
import {
  holderOf,
  isItems,
  lastStep,
  requiredEdits,
  schemaPlace,
  uiPlace,
  writtenFields,
} from '../fields/field-place.ts';
import { valueIn } from '../pending.ts';
import { distinct, drawnFields, pressOf } from '../titles.ts';
import { flowFile, statesOf } from '../tasks/flow-tasks.ts';
import { eventsOf, filesOf } from '../tasks/screen-tasks.ts';

/** Something removable, with the changes that remove it. Writing fails if anything else still depends on it. */
export interface Removal {
  readonly name: string;
  readonly changes: readonly FileChange[];
  /** Screen that is removed too, with its test cases. */
  readonly screen?: string;
}

export function removalsOfScreen(set: StudioSet, screen: string, cases: StudioCases): readonly Removal[] {
  const drawn = drawnFields(set, screen);
  const fields = Object.keys(writtenFields(set, screen)).filter((field) => !isItems(set, screen, field));
  return [
    ...distinct(fields.map((field) => [field, drawn[field]?.title ?? field])).map(([field, name]) => ({
      name: t('removeField', { name }),
      changes: fieldChanges(set, screen, field, cases),
    })),
    ...eventsOf(set, screen).map((event) => ({
      name: t('removeButton', { name: pressOf(set, screen, event) }),
      changes: buttonChanges(set, screen, event),
    })),
  ];
}

function fieldChanges(set: StudioSet, screen: string, field: string, cases: StudioCases): readonly FileChange[] {
  const { schema, ui, pt } = filesOf(screen);
  const ofFile = (file: string, pointers: readonly string[], more: readonly StudioEdit[] = []) =>
    changeOf(set.files[file], [...there(valueIn(set, file), pointers), ...more]);
  const named = (file: string, table: string) => entriesOf(valueIn(set, file, table), table, field);
  const place = schemaPlace(set, screen, field);
  const within = Object.keys(writtenFields(set, screen)).filter((name) => isWithin(name, field));
  const content = valueIn({ ...set, files: { [cases.file]: cases } }, cases.file);
  return [
    ...ofFile(
      schema,
      [
        place,
        ...named(schema, '/computed'),
        // Dependences inside the field are removed with it.
        ...dependencePlaces(set, screen, within).filter((pointer) => !pointer.startsWith(`${place}/`)),
      ],
      requiredEdits(set, screen, field, false),
    ),
    ...ofFile(ui, [
      uiPlace(field),
      ...named(ui, '/messages'),
      ...inLists(valueIn(set, ui), field),
      ...named(ui, '/visible'),
    ]),
    ...ofFile(pt, [uiPlace(field), ...named(pt, '/messages')]),
    ...changeOf(cases, there(content, placesInCases(content, field))),
  ];
}

/** Returns pointers to the entries of a field and its nested fields in a table. Returns the pointer of the table if it has no others. */
function entriesOf(table: Json | undefined, at: string, field: string): readonly string[] {
  const keys = isObject(table) ? Object.keys(table) : [];
  const own = keys.filter((key) => isWithin(key, field));
  return own.length > 0 && own.length === keys.length ? [at] : own.map((key) => `${at}/${escapePointer(key)}`);
}

/** Returns pointers to a field in the order of its siblings and in sections. */
function inLists(ui: Json | undefined, field: string): readonly string[] {
  const within = (list: unknown, at: string, name = field) =>
    Array.isArray(list) && list.includes(name) ? [`${at}/${list.indexOf(name)}`] : [];
  if (!isObject(ui)) return [];
  const { sections } = ui as JsonObject;
  const order = `${uiPlace(holderOf(field))}/ui:order`;
  return [
    ...within(valueAt(ui as JsonObject, order), order, lastStep(field)),
    ...(Array.isArray(sections)
      ? sections.flatMap((section: Json, index) =>
          isObject(section) ? within(section['fields'], `/sections/${index}/fields`) : [],
        )
      : []),
  ];
}

function buttonChanges(set: StudioSet, screen: string, event: string): readonly FileChange[] {
  const { ui, pt } = filesOf(screen);
  const key = escapePointer(event);
  const ofScreen = (['actions', 'links'] as const).flatMap((list) => {
    const entries = valueIn(set, ui, `/${list}`);
    const places = Array.isArray(entries)
      ? entries.flatMap((one: Json, index) => (isObject(one) && one['event'] === event ? [`/${list}/${index}`] : []))
      : [];
    return places.toReversed(); // last first, so that the earlier pointers stay valid
  });
  const flows = Object.keys(set.flows).flatMap((flow) => {
    const file = flowFile(flow);
    const places = statesOf(set, flow).flatMap(({ pointer, state }) =>
      state['screen'] === screen ? [`${pointer}/on/${key}`] : [],
    );
    return changeOf(set.files[file], there(valueIn(set, file), places));
  });
  return [
    ...changeOf(set.files[ui], there(valueIn(set, ui), ofScreen)),
    ...changeOf(set.files[pt], there(valueIn(set, pt), [`/actions/${key}`, `/links/${key}`])),
    ...flows,
  ];
}

/** Removes the values at those pointers that exist. */
function there(value: Json | undefined, pointers: readonly string[]): readonly StudioEdit[] {
  return pointers.flatMap((pointer) => (valueAt(value, pointer) === undefined ? [] : [{ pointer }]));
}

function changeOf(file: VersionedFile | undefined, edits: readonly StudioEdit[] = []): readonly FileChange[] {
  return !file || edits.length === 0 ? [] : [{ file: file.file, base: file.version, edits }];
}

function placesInCases(cases: Json | undefined, field: string): readonly string[] {
  if (!isObject(cases)) return [];
  const { cases: named, data } = cases as JsonObject;
  const ofCases = Object.entries(isObject(named) ? (named as JsonObject) : {}).flatMap(([name, own]) => {
    const at = `/cases/${escapePointer(name)}`;
    if (!isObject(own)) return [];
    if (isAbout(own as JsonObject, field)) return [at];
    const { without, errors, ...values } = own as JsonObject;
    const place = Array.isArray(without) ? without.indexOf(field) : -1;
    return [
      ...['data', 'with'].flatMap((part) => valuePlaces(values[part], field.split('.'), `${at}/${part}`)),
      ...keysOf(errors).flatMap((key) => (isOf(key, field) ? [`${at}/errors/${escapePointer(key)}`] : [])),
      ...(place < 0 ? [] : [`${at}/without/${place}`]),
    ];
  });
  return [...valuePlaces(data, field.split('.'), '/data'), ...ofCases];
}

function valuePlaces(values: Json | undefined, [step, ...rest]: readonly string[], at: string): readonly string[] {
  if (step === undefined) return [at];
  if (Array.isArray(values)) return values.flatMap((item: Json, index) => valuePlaces(item, rest, `${at}/${index}`));
  if (!isObject(values) || !Object.hasOwn(values, step)) return [];
  return valuePlaces((values as JsonObject)[step], rest, `${at}/${escapePointer(step)}`);
}

/** Whether a case differs from the valid case only in this field. */
function isAbout({ note: _, with: given = {}, errors = {}, ...others }: JsonObject, field: string): boolean {
  const [top, ...rest] = field.split('.');
  const [values, messages] = [keysOf(given), keysOf(errors)];
  const isSaid = rest.length > 0 ? messages.length > 0 : values.length + messages.length > 0;
  const isAlone = values.every((name) => name === top) && messages.every((name) => isOf(name, field));
  return isSaid && isAlone && Object.keys(others).length === 0;
}

/** Whether the name of a value, with its list indices, refers to a field or to one nested in it. */
function isOf(name: string, field: string): boolean {
  return isWithin(name.replaceAll(/\.\d+(?=\.|$)/g, '.items'), field);
}

function keysOf(value: Json | undefined): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}
