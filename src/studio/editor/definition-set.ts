import { findByPointer } from '../../engine/core/json-pointer.ts';
import { asObject, type Json, type JsonObject } from '../../engine/core/json.ts';
import { asListOrEmpty, parseJsonOrUndefined } from '../json-values.ts';
import type { FileChange, JsonEdit, StudioCases, StudioDefinitions, VersionedFile } from '../studio-api-types.ts';

export interface BilingualText {
  readonly es: string;
  readonly pt: string;
}

export type SelectOptions<Value = string> = readonly (readonly [value: Value, label: string])[];

export const emptyBilingualText: BilingualText = { es: '', pt: '' };

export function buildScreenFilePaths(screen: string) {
  const path = (name: string) => `schemas/${screen}/${name}.json`;
  return { schema: path('schema'), ui: path('ui'), pt: path('ui.pt') };
}

export function buildFlowFilePath(flow: string): string {
  return `flows/${flow}.json`;
}

export function listFlowIds(set: StudioDefinitions): readonly string[] {
  return Object.keys(set.files).flatMap((file) => /^flows\/(.+)\.json$/.exec(file)?.[1] ?? []);
}

type Files = Pick<StudioDefinitions, 'files'>;

export function readFileValue(set: Files, file: string, pointer = ''): Json | undefined {
  const own = set.files[file];
  return own && findByPointer(parseFile(own), pointer);
}

export function readFileObject(set: Files, file: string, pointer = ''): JsonObject {
  return asObject(readFileValue(set, file, pointer));
}

export function readFileList(set: Files, file: string, pointer: string): readonly Json[] {
  return asListOrEmpty(readFileValue(set, file, pointer));
}

export function readScreenSchemaValue(set: Files, screen: string, pointer: string): Json | undefined {
  return readFileValue(set, buildScreenFilePaths(screen).schema, pointer);
}

export function readScreenUiValue(set: Files, screen: string, pointer: string): Json | undefined {
  return readFileValue(set, buildScreenFilePaths(screen).ui, pointer);
}

/** Cache of parsed files. Panels and the search parse the same files hundreds of times. */
const contents = new WeakMap<VersionedFile, { readonly json: Json | undefined }>();

function parseFile(file: VersionedFile): Json | undefined {
  const known = contents.get(file) ?? { json: parseJsonOrUndefined(file.text) };
  contents.set(file, known);
  return known.json;
}

export function findFileVersion({ files }: Files, file: string): string | null {
  return files[file]?.version ?? null;
}

export function buildFileChanges(set: Files, file: string, edits: readonly JsonEdit[]): readonly FileChange[] {
  return edits.length === 0 ? [] : [{ file, base: findFileVersion(set, file), edits }];
}

export function buildCaseFileChanges(cases: StudioCases, edits: readonly JsonEdit[]): readonly FileChange[] {
  return buildFileChanges({ files: { [cases.file]: cases } }, cases.file, edits);
}

export function createValueEdit(pointer: string, value: Json | undefined): JsonEdit {
  return value === undefined ? { pointer } : { pointer, value };
}

/** Events that the engine raises or handles itself. */
export const engineEvents: readonly string[] = ['submit', 'back', 'restart'];

export function listScreenEvents(set: StudioDefinitions, screen: string): readonly string[] {
  const within = (value: Json): readonly string[] => {
    if (Array.isArray(value)) return asListOrEmpty(value).flatMap(within);
    const { event, ...others } = asObject(value);
    return [...(typeof event === 'string' ? [event] : []), ...Object.values(others).flatMap(within)];
  };
  return [...new Set(within(readFileObject(set, buildScreenFilePaths(screen).ui)))].filter(
    (name) => !engineEvents.includes(name),
  );
}

/** Derives a key such as `numero_de_tramite`. Appends a number if `taken` contains the key. */
export function deriveKeyFromLabel(text: string, joint: '_' | '-', taken: readonly string[] = []): string {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== '');
  const key = words.join(joint).slice(0, 60).replace(/[_-]$/, '');
  return makeNameUnique(key, joint, taken);
}

/** Appends the first free number, from 2, to a name that `taken` contains. */
export function makeNameUnique(name: string, joint: '_' | '-' | '', taken: readonly string[]): string {
  let unique = name;
  for (let number = 2; taken.includes(unique); number += 1) unique = `${name}${joint}${number}`;
  return unique;
}
