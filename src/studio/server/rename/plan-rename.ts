import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Flow } from '../../../engine/core/definition.ts';
import { lintFile } from '../../../engine/compiler/analyse/lint-file.ts';
import type { DefinitionsOptions } from '../../../engine/compiler/definitions.ts';
import { readDefinitions } from '../../../engine/compiler/load-definitions.ts';
import type { ReadDefinitions } from '../../../engine/compiler/load-set.ts';
import type { LoadCache } from '../../../engine/compiler/sources/load-cache.ts';
import type {
  FileChange,
  RenamePlan,
  RenameWish,
  VersionedFile,
  WriteAnswer,
  WriteRequest,
} from '../../studio-data.ts';
import { ownEvents } from '../../editor/tasks/screen-tasks.ts';
import { casesFile, casesFolder } from '../../../cli/definitions/cases.ts';
import { uncoveredRulesFile } from '../../../cli/definitions/rule-coverage.ts';
import { uncoveredTextsFile } from '../../../cli/definitions/text-coverage.ts';
import { readVersioned } from '../definition-files.ts';
import {
  renamingOfEvent,
  renamingOfField,
  renamingOfScreen,
  renamingOfState,
  type Around,
  type Renaming,
} from './renamings.ts';

const names: Readonly<Record<RenameWish['kind'], RegExp>> = {
  screen: /^[a-z][a-z0-9-]*$/,
  field: /^[a-z]\w*$/i,
  state: /^[a-z][\w-]*$/i,
  event: /^[a-z]\w*$/i,
};

/**
 * What is to be written so that a screen, a field, a state or an event has another name in every file of definitions, cases and walks; and whether
 * the set is as good then, by `tried`.
 */
export async function planRename(
  options: DefinitionsOptions,
  wish: RenameWish,
  tried: (request: WriteRequest) => Promise<WriteAnswer>,
  cache?: LoadCache,
): Promise<RenamePlan> {
  const none = { changes: [], files: [], answer: null };
  const { kind, of, from, to } = wish;
  if (!names[kind].test(to)) return { ...none, refused: 'name' };
  const { set, screens, flows } = await readDefinitions(options, cache);
  const isOfKind = kind === 'state' || screens.some(({ id }) => id === of);
  if (!isOfKind || from === to) return { ...none, refused: 'unknown' };
  if (kind === 'event' && [from, to].some((name) => ownEvents.includes(name))) return { ...none, refused: 'own' };
  const files = await changedFiles(
    options.root,
    wish,
    renamingOf(wish, { set, flows }),
    readersOf(wish, { screens, flows }),
  );
  if (files.length === 0) return { ...none, refused: 'unknown' };
  const taken = kind === 'screen' && (screens.some(({ id }) => id === to) || (await exists(options.root, to)));
  if (taken || isTaken(wish, files)) return { ...none, refused: 'taken' };
  const changes = files.flatMap((file) => changesOf(file));
  const answer = await tried({ changes, dryRun: true, ...(kind === 'field' && { field: to }) });
  return { refused: null, changes, files: files.map(shownOf), answer };
}

/** What each kind of file becomes by a rename in a set. */
export function renamingOf(
  { kind, of, from, to }: RenameWish,
  { set, flows }: Pick<ReadDefinitions, 'set' | 'flows'>,
): Renaming {
  const drawing = ({ states }: Flow) =>
    new Set(Object.entries(states).flatMap(([name, { screen }]) => (screen === of ? [name] : [])));
  const around: Around = {
    from,
    to,
    states: Object.fromEntries(flows.map((flow) => [flow.id, drawing(flow)])),
    initial: Object.fromEntries(flows.map(({ id, initial }) => [id, initial])),
  };
  if (kind === 'state') return renamingOfState(of, around);
  if (kind === 'event') return renamingOfEvent(of, around);
  if (kind === 'screen') return renamingOfScreen(around);
  const naming = [...set.plugins.rules.values()].filter(({ rule }) => rule.reads ?? rule.target);
  return renamingOfField(of, around, new Set(naming.map(({ rule }) => rule.keyword)));
}

/** Later steps of a journey whose rules read the field as if it were their own. */
function readersOf(
  { kind, of, from }: RenameWish,
  { screens, flows }: Pick<ReadDefinitions, 'screens' | 'flows'>,
): readonly string[] {
  if (kind !== 'field') return [];
  const drawn = flows.map(({ states }) => Object.values(states).map(({ screen }) => screen));
  return screens.flatMap(({ id, schema }) => {
    const earlier = schema?.['earlier'];
    const isRead = id !== of && Array.isArray(earlier) && earlier.includes(from);
    return isRead && drawn.some((ids) => ids.includes(of) && ids.includes(id)) ? [id] : [];
  });
}

/** A file, and what it becomes. */
interface Changed extends VersionedFile {
  readonly becomes: string;
  readonly path: string;
}

async function changedFiles(
  root: string,
  { kind, of, to }: RenameWish,
  renaming: Renaming,
  readers: readonly string[],
): Promise<readonly Changed[]> {
  const isMoved = kind === 'screen';
  const filesBelow = async (folders: readonly string[]) =>
    (await Promise.all(folders.map((folder) => below(root, folder)))).flat();
  const own = isMoved || kind === 'field' || kind === 'event';
  const [screenFiles, caseFiles, others] = await Promise.all([
    own ? filesBelow([of, ...readers].map((screen) => `schemas/${screen}`)) : [],
    own ? [of, ...readers].map(casesFile).concat(await below(root, `${casesFolder}/${of}`)) : [],
    Promise.all(['flows', 'tests/definitions/walks'].map((folder) => below(root, folder))),
  ]);
  const list = [...screenFiles, ...caseFiles, ...others.flat(), lintFile, uncoveredRulesFile, uncoveredTextsFile];
  const files = await Promise.all(
    list.map(async (file): Promise<Changed | null> => {
      const read = await readVersioned(root, file);
      if (read.version === null) return null;
      const becomes = textAfter(file, read.text, renaming);
      const path = isMoved
        ? file.replace(new RegExp(`^(schemas|tests/fixtures)/${of}(?=/|\\.json$)`), `$1/${to}`)
        : file;
      return becomes === read.text && path === file ? null : { ...read, becomes, path };
    }),
  );
  return files.filter((file) => file !== null);
}

/** The text of a file after a rename. */
export function textAfter(file: string, text: string, renaming: Renaming): string {
  const [, flow = ''] = /([^/]+)\.json$/.exec(file) ?? [];
  if (file.endsWith('/schema.json')) return renaming.schema(text);
  if (file === lintFile) return renaming.lint(text);
  if (file.startsWith('schemas/')) return renaming.ui(text);
  if (file.endsWith('.txt')) return renaming.snapshot(text);
  if (file.startsWith(`${casesFolder}/`)) return renaming.cases(text);
  if (file.startsWith('flows/')) return renaming.flow(flow, text);
  if (file === uncoveredRulesFile || file === uncoveredTextsFile) return renaming.reasons(text);
  return renaming.walks(flow, text);
}

/** The name of a field or of a state that is there already would stand twice in its object. */
function isTaken({ kind, of, to }: RenameWish, files: readonly Changed[]): boolean {
  const [path, holder] =
    kind === 'field' ? [`schemas/${of}/schema.json`, 'properties'] : [`flows/${of}.json`, 'states'];
  const file = files.find((own) => own.file === path);
  if (kind === 'event' || kind === 'screen' || !file) return false;
  return hasName(JSON.parse(file.text), holder, to);
}

function hasName(value: unknown, holder: string, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const inner = (value as Readonly<Record<string, unknown>>)[holder];
  if (typeof inner !== 'object' || inner === null) return false;
  return Object.hasOwn(inner, name) || Object.values(inner).some((own) => hasName(own, holder, name));
}

function changesOf({ file, version, path, becomes }: Changed): readonly FileChange[] {
  if (path === file) return [{ file, base: version, text: becomes }];
  return [
    { file: path, base: null, text: becomes },
    { file, base: version, gone: true },
  ];
}

/** Names hold no line break: the lines of both texts are the same ones. */
function shownOf({ file, path, text, becomes }: Changed): RenamePlan['files'][number] {
  const after = becomes.split('\n');
  const lines = text
    .split('\n')
    .flatMap((before, index) =>
      before === after[index] ? [] : [{ line: index + 1, before: before.trim(), after: (after[index] ?? '').trim() }],
    );
  return { file, path, lines };
}

async function below(root: string, folder: string): Promise<readonly string[]> {
  const found = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return found
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((name) => /\.(json|txt)$/.test(name))
    .sort();
}

async function exists(root: string, screen: string): Promise<boolean> {
  return existsSync(join(root, casesFile(screen))) || (await below(root, `schemas/${screen}`)).length > 0;
}
