import { escapePointer, valueAt } from '../../../engine/core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { FileChange, StudioCases, StudioEdit, StudioSet, VersionedFile } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { valueIn } from '../pending.ts';
import { drawnFields } from '../titles.ts';
import { flowFile, statesOf } from '../tasks/flow-tasks.ts';
import { eventsOf, fieldsOf, filesOf, requiredEdits, visibleChange } from '../tasks/screen-tasks.ts';

/** Something that can be removed with all that is its own: what else reads it keeps it from being written. */
export interface Removal {
  readonly name: string;
  readonly changes: readonly FileChange[];
  /** The screen that goes, whose cases go with it. */
  readonly screen?: string;
}

/** The fields of a screen, and its buttons with an event of their own. */
export function removalsOfScreen(set: StudioSet, screen: string, cases: StudioCases): readonly Removal[] {
  const drawn = drawnFields(set, screen);
  return [
    ...Object.keys(fieldsOf(set, screen)).map((field) => ({
      name: t('removeField', { name: drawn[field]?.title ?? field, key: field }),
      changes: fieldChanges(set, screen, field, cases),
    })),
    ...eventsOf(set, screen).map((event) => ({
      name: t('removeButton', { name: event }),
      changes: buttonChanges(set, screen, event),
    })),
  ];
}

function fieldChanges(set: StudioSet, screen: string, field: string, cases: StudioCases): readonly FileChange[] {
  const { schema, ui, pt } = filesOf(screen);
  const key = escapePointer(field);
  const ofFile = (file: string, pointers: readonly string[], more: readonly StudioEdit[] = []) =>
    changeOf(set.files[file], [...there(valueIn(set, file), pointers), ...more]);
  const content = valueIn({ ...set, files: { [cases.file]: cases } }, cases.file);
  return [
    ...ofFile(schema, [`/properties/${key}`], requiredEdits(set, screen, field, false)),
    ...ofFile(
      ui,
      [`/fields/${key}`, `/messages/${key}`, ...inLists(valueIn(set, ui), field)],
      valueIn(set, ui, `/visible/${key}`) === undefined ? [] : visibleChange(set, screen, field, undefined).edits,
    ),
    ...ofFile(pt, [`/fields/${key}`, `/messages/${key}`]),
    ...changeOf(cases, there(content, placesInCases(content, field))),
  ];
}

/** The places of a field in the orders of a screen: of all fields, and of a section. */
function inLists(ui: Json | undefined, field: string): readonly string[] {
  const within = (list: unknown, at: string) =>
    Array.isArray(list) && list.includes(field) ? [`${at}/${list.indexOf(field)}`] : [];
  if (!isObject(ui)) return [];
  const { fields, sections } = ui as JsonObject;
  return [
    ...(isObject(fields) ? within(fields['ui:order'], '/fields/ui:order') : []),
    ...(Array.isArray(sections)
      ? sections.flatMap((section: Json, index) =>
          isObject(section) ? within(section['fields'], `/sections/${index}/fields`) : [],
        )
      : []),
  ];
}

/** The places of a field in the cases of its screen: values, expected messages, and what a case leaves out. */
function placesInCases(cases: Json | undefined, field: string): readonly string[] {
  if (!isObject(cases)) return [];
  const key = escapePointer(field);
  const { cases: named } = cases as JsonObject;
  const ofCases = Object.entries(isObject(named) ? (named as JsonObject) : {}).flatMap(([name, own]) => {
    const at = `/cases/${escapePointer(name)}`;
    if (isAbout(own, field)) return [at];
    const without = isObject(own) ? own['without'] : undefined;
    const place = Array.isArray(without) ? without.indexOf(field) : -1;
    return [
      ...['data', 'with', 'errors'].map((part) => `${at}/${part}/${key}`),
      ...(place < 0 ? [] : [`${at}/without/${place}`]),
    ];
  });
  return [`/data/${key}`, ...ofCases];
}

/** Whether a case differs from the right one in this field alone. */
function isAbout(own: Json, field: string): boolean {
  if (!isObject(own)) return false;
  const { note: _, with: given = {}, errors = {}, ...others } = own as JsonObject;
  const named = [given, errors].flatMap((part) => (isObject(part) ? Object.keys(part) : []));
  return named.length > 0 && Object.keys(others).length === 0 && named.every((name) => name === field);
}

function buttonChanges(set: StudioSet, screen: string, event: string): readonly FileChange[] {
  const { ui, pt } = filesOf(screen);
  const key = escapePointer(event);
  const ofScreen = (['actions', 'links'] as const).flatMap((list) => {
    const entries = valueIn(set, ui, `/${list}`);
    const places = Array.isArray(entries)
      ? entries.flatMap((one: Json, index) => (isObject(one) && one['event'] === event ? [`/${list}/${index}`] : []))
      : [];
    return places.toReversed(); // from the last on, so that the places before it stay
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

/** Edits that remove what stands at some pointers. */
function there(value: Json | undefined, pointers: readonly string[]): readonly StudioEdit[] {
  return pointers.flatMap((pointer) => (valueAt(value, pointer) === undefined ? [] : [{ pointer }]));
}

function changeOf(file: VersionedFile | undefined, edits: readonly StudioEdit[] = []): readonly FileChange[] {
  return !file || edits.length === 0 ? [] : [{ file: file.file, base: file.version, edits }];
}
