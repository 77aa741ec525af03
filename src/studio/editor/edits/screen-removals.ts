import { isFieldWithin, replaceIndexesWithItems, buildUiPointer } from '../../../engine/core/field-path.ts';
import { escapePointer, findByPointer } from '../../../engine/core/json-pointer.ts';
import { asObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import { asListOrEmpty, listJsonChildren } from '../../json-values.ts';
import type { FileChange, StudioCases, JsonEdit, StudioDefinitions, VersionedFile } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import { listChoiceDependencyPointers } from '../fields/dependent-choices.ts';
import {
  getParentFieldName,
  isListItemName,
  getLastFieldNameSegment,
  createRequiredEdits,
  buildFieldSchemaPointer,
  listSchemaFields,
} from '../fields/field-pointers.ts';
import {
  buildFileChanges,
  listScreenEvents,
  buildScreenFilePaths,
  buildFlowFilePath,
  readFileList,
  readFileObject,
  readFileValue,
} from '../definition-set.ts';
import { listFlowStates } from '../tasks/flow-states.ts';
import { disambiguateLabels, listLabelledFields, resolveEventLabel } from '../titles.ts';

/** Changes that remove an element. The server rejects them if another definition depends on it. */
export interface ElementRemoval {
  readonly name: string;
  readonly changes: readonly FileChange[];
  /** Screen that is removed with the element, together with its test cases. */
  readonly screen?: string;
}

export function listScreenRemovals(
  set: StudioDefinitions,
  screen: string,
  cases: StudioCases,
): readonly ElementRemoval[] {
  const drawnFields = listLabelledFields(set, screen);
  const fields = Object.keys(listSchemaFields(set, screen)).filter((field) => !isListItemName(set, screen, field));
  return [
    ...disambiguateLabels(fields.map((field) => [field, drawnFields[field]?.title ?? field])).map(([field, name]) => ({
      name: t('removeField', { name }),
      changes: createFieldRemoval(set, screen, field, cases),
    })),
    ...listScreenEvents(set, screen).map((event) => ({
      name: t('removeButton', { name: resolveEventLabel(set, screen, event) }),
      changes: createButtonRemoval(set, screen, event),
    })),
  ];
}

export function buildCaseFileRemovals({ file, version, snapshots }: StudioCases): readonly FileChange[] {
  return [{ file, version }, snapshots].flatMap(createFileRemoval);
}

export function createFileRemoval(file: Pick<VersionedFile, 'file' | 'version'> | undefined): readonly FileChange[] {
  return !file || file.version === null ? [] : [{ file: file.file, base: file.version, deleted: true }];
}

function createFieldRemoval(set: StudioDefinitions, screen: string, field: string, cases: StudioCases) {
  const { schema, ui, pt } = buildScreenFilePaths(screen);
  const entries = (file: string, table: string) => listEntryPointers(readFileObject(set, file, table), table, field);
  const place = buildFieldSchemaPointer(set, screen, field);
  const within = Object.keys(listSchemaFields(set, screen)).filter((name) => isFieldWithin(name, field));
  const withCases = { files: { [cases.file]: cases } };
  return [
    ...buildFileChanges(set, schema, [
      ...createPointerRemovals(set, schema, [
        place,
        ...entries(schema, '/computed'),
        // Skips dependencies inside the field, because removing the field removes them.
        ...listChoiceDependencyPointers(set, screen, within).filter((pointer) => !pointer.startsWith(`${place}/`)),
      ]),
      ...createRequiredEdits(set, screen, field, false),
    ]),
    ...removeFrom(set, ui, [
      buildUiPointer(field),
      ...entries(ui, '/messages'),
      ...listFieldListPointers(readFileObject(set, ui), field),
      ...entries(ui, '/visible'),
    ]),
    ...removeFrom(set, pt, [buildUiPointer(field), ...entries(pt, '/messages')]),
    ...removeFrom(withCases, cases.file, listCasePointers(readFileObject(withCases, cases.file), field)),
  ];
}

type Files = Pick<StudioDefinitions, 'files'>;

function createPointerRemovals(set: Files, file: string, pointers: readonly string[]): readonly JsonEdit[] {
  return pointers.flatMap((pointer) => (readFileValue(set, file, pointer) === undefined ? [] : [{ pointer }]));
}

function removeFrom(set: Files, file: string, pointers: readonly string[]): readonly FileChange[] {
  return buildFileChanges(set, file, createPointerRemovals(set, file, pointers));
}

function listEntryPointers(table: JsonObject, at: string, field: string): readonly string[] {
  const all = listJsonChildren(table, at);
  const own = all.filter(([key]) => isFieldWithin(key, field));
  return own.length > 0 && own.length === all.length ? [at] : own.map(([, , pointer]) => pointer);
}

function listFieldListPointers(ui: JsonObject, field: string): readonly string[] {
  const within = (list: Json | undefined, at: string, name = field) =>
    asListOrEmpty(list).includes(name) ? [`${at}/${asListOrEmpty(list).indexOf(name)}`] : [];
  const order = `${buildUiPointer(getParentFieldName(field))}/ui:order`;
  return [
    ...within(findByPointer(ui, order), order, getLastFieldNameSegment(field)),
    ...listJsonChildren(ui['sections'], '/sections').flatMap(([, section, at]) =>
      within(asObject(section)['fields'], `${at}/fields`),
    ),
  ];
}

function createButtonRemoval(set: StudioDefinitions, screen: string, event: string): readonly FileChange[] {
  const { ui, pt } = buildScreenFilePaths(screen);
  const key = escapePointer(event);
  const ofScreen = ['/actions', '/links'].flatMap(
    (list) =>
      listJsonChildren(readFileList(set, ui, list), list)
        .flatMap(([, entry, pointer]) => (asObject(entry)['event'] === event ? [pointer] : []))
        .reverse(), // last first, so that the earlier pointers stay valid
  );
  return [
    ...removeFrom(set, ui, ofScreen),
    ...removeFrom(set, pt, [`/actions/${key}`, `/links/${key}`]),
    ...Object.keys(set.flows).flatMap((flow) =>
      removeFrom(
        set,
        buildFlowFilePath(flow),
        listFlowStates(set, flow).flatMap(({ pointer, state }) =>
          state['screen'] === screen ? [`${pointer}/on/${key}`] : [],
        ),
      ),
    ),
  ];
}

function listCasePointers({ cases, data }: JsonObject, field: string): readonly string[] {
  const ofCases = listJsonChildren(asObject(cases), '/cases').flatMap(([, part, at]) => {
    const own = asObject(part);
    if (isAboutField(own, field)) return [at];
    const place = asListOrEmpty(own['without']).indexOf(field);
    return [
      ...['data', 'with'].flatMap((key) => listValuePointers(own[key], field.split('.'), `${at}/${key}`)),
      ...listJsonChildren(own['errors'], `${at}/errors`).flatMap(([key, , pointer]) =>
        isFieldValue(key, field) ? [pointer] : [],
      ),
      ...(place < 0 ? [] : [`${at}/without/${place}`]),
    ];
  });
  return [...listValuePointers(data, field.split('.'), '/data'), ...ofCases];
}

function listValuePointers(
  values: Json | undefined,
  [step, ...rest]: readonly string[],
  at: string,
): readonly string[] {
  if (step === undefined) return [at];
  const parts = listJsonChildren(values, at);
  if (Array.isArray(values)) return parts.flatMap(([, item, pointer]) => listValuePointers(item, rest, pointer));
  return parts.flatMap(([key, part, pointer]) => (key === step ? listValuePointers(part, rest, pointer) : []));
}

function isAboutField(
  { note: _, with: changed = {}, without = [], errors = {}, ...others }: JsonObject,
  field: string,
): boolean {
  const [top, ...rest] = field.split('.');
  const [values, messages] = [Object.keys(asObject(changed)), Object.keys(asObject(errors))];
  const isSaid = rest.length > 0 ? messages.length > 0 : values.length + messages.length > 0;
  const isAlone =
    values.every((name) => name === top) &&
    asListOrEmpty(without).every((name) => name === field) &&
    messages.every((name) => isFieldValue(name, field));
  return isSaid && isAlone && Object.keys(others).length === 0;
}

function isFieldValue(name: string, field: string): boolean {
  return isFieldWithin(replaceIndexesWithItems(name), field);
}
