import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { Flow } from '../../../engine/core/flow-and-screen-types.ts';
import { asObject, type Json } from '../../../engine/core/json.ts';
import { suppressionsPath } from '../../../engine/compiler/lint/suppressions.ts';
import type { LoadDefinitionsOptions } from '../../../engine/compiler/definitions.ts';
import { loadUncheckedDefinitions } from '../../../engine/compiler/load-definitions.ts';
import type { LoweredDefinitions } from '../../../engine/compiler/pipeline.ts';
import type { DefinitionLoadCache } from '../../../engine/compiler/sources/load-cache.ts';
import type {
  FileChange,
  RenamePlan,
  RenameRequest,
  VersionedFile,
  DefinitionWriteResult,
  DefinitionWriteRequest,
} from '../../studio-api-types.ts';
import { buildFlowFilePath, engineEvents } from '../../editor/definition-set.ts';
import { scenarioFolder } from '../../scenario/scenario.ts';
import {
  getScreenCasesPath,
  screenCasesFolder,
  getScreenSnapshotPath,
} from '../../../cli/definitions/cases/screen-cases.ts';
import { uncoveredRulesFile, uncoveredTextsFile } from '../../../cli/definitions/coverage.ts';
import { readVersionedFile } from '../definition-files.ts';
import { parseJsonOrUndefined } from '../../json-values.ts';
import { FieldRename, renameFieldInDefinition, createFieldRenaming } from './field-renaming.ts';
import {
  replaceJsonStrings,
  createEventRenaming,
  createFlowRenaming,
  createScreenRenaming,
  createStateRenaming,
  type RenameContext,
  type DefinitionRenaming,
} from './definition-renamings.ts';
import { findSharedField, type SharedField } from './shared-fields.ts';

const namePatterns: Readonly<Record<RenameRequest['kind'], RegExp>> = {
  screen: /^[a-z][a-z0-9-]*$/,
  flow: /^[a-z][a-z0-9-]*$/,
  field: /^[a-z]\w*$/i,
  state: /^[a-z][\w-]*$/i,
  event: /^[a-z]\w*$/i,
};

export async function planRename(
  options: LoadDefinitionsOptions,
  wish: RenameRequest,
  checkWrite: (request: DefinitionWriteRequest) => Promise<DefinitionWriteResult>,
  cache?: DefinitionLoadCache,
): Promise<RenamePlan> {
  const none = { changes: [], files: [], answer: null };
  const { kind, of, from, to } = wish;
  if (!namePatterns[kind].test(to)) return { ...none, refused: 'name' };
  const { set, screens, flows } = await loadUncheckedDefinitions(options, cache);
  const isOfKind = kind === 'state' || (kind === 'flow' ? flows : screens).some(({ id }) => id === of);
  if (!isOfKind || from === to) return { ...none, refused: 'unknown' };
  if (kind === 'event' && [from, to].some((name) => engineEvents.includes(name))) return { ...none, refused: 'own' };
  const shared = kind === 'field' ? findSharedField(set, of, from) : null;
  if (kind === 'field' && !shared) return { ...none, refused: 'unknown' };
  if (shared?.beside.includes(to)) return { ...none, refused: 'taken' };
  const parts = (shared?.fields ?? [{ screen: of, name: from }]).map(({ screen, name }): RenamePart => {
    const own = { kind, of: screen, from: name, to };
    return {
      renaming: createRenaming(own, { set, flows }),
      screens: [screen, ...listDependentScreens(own, { screens, flows })],
    };
  });
  const files = await listChangedFiles(options.root, wish, { parts, definitions: shared?.definitions ?? [] });
  if (files.length === 0) return { ...none, refused: 'unknown' };
  const isTaken =
    (kind === 'screen' &&
      (screens.some(({ id }) => id === to) ||
        existsSync(join(options.root, getScreenCasesPath(to))) ||
        (await listFilesBelow(options.root, `schemas/${to}`)).length > 0)) ||
    (kind === 'flow' && listFlowFiles(to).some((file) => existsSync(join(options.root, file))));
  if (isTaken || (kind === 'state' && isStateTaken(wish, files))) return { ...none, refused: 'taken' };
  const changes = files.flatMap((file) => createChanges(file));
  const answer = await checkWrite({
    changes,
    dryRun: true,
    ...(kind === 'field' && { field: new FieldRename(from, to).to }),
  });
  return { refused: null, changes, files: files.map(listChangedLines), answer };
}

interface RenamePart {
  readonly renaming: DefinitionRenaming;
  readonly screens: readonly string[];
}

export function createRenaming(
  { kind, of, from, to }: RenameRequest,
  { set, flows }: Pick<LoweredDefinitions, 'set' | 'flows'>,
): DefinitionRenaming {
  const drawing = ({ states }: Flow) =>
    new Set(Object.entries(states).flatMap(([name, { screen }]) => (screen === of ? [name] : [])));
  const renameContext: RenameContext = {
    from,
    to,
    states: Object.fromEntries(flows.map((flow) => [flow.id, drawing(flow)])),
    initial: Object.fromEntries(flows.map(({ id, initial }) => [id, initial])),
  };
  if (kind === 'state') return createStateRenaming(of, renameContext);
  if (kind === 'flow') return createFlowRenaming(renameContext);
  if (kind === 'event') return createEventRenaming(of, renameContext);
  if (kind === 'screen') return createScreenRenaming(renameContext);
  const naming = [...set.plugins.rules.values()].filter(({ rule }) => rule.reads ?? rule.target);
  return createFieldRenaming(of, renameContext, new Set(naming.map(({ rule }) => rule.keyword)));
}

function listDependentScreens(
  { kind, of, from }: RenameRequest,
  { screens, flows }: Pick<LoweredDefinitions, 'screens' | 'flows'>,
): readonly string[] {
  if (kind !== 'field') return [];
  const screensByFlow = flows.map(({ states }) => Object.values(states).map(({ screen }) => screen));
  return screens.flatMap(({ id, schema }) => {
    const earlier = schema?.['earlier'];
    const isRead = id !== of && Array.isArray(earlier) && earlier.includes(from.split('.')[0]);
    return isRead && screensByFlow.some((ids) => ids.includes(of) && ids.includes(id)) ? [id] : [];
  });
}

interface RenamedFile extends VersionedFile {
  readonly becomes: string;
  readonly path: string;
}

async function listChangedFiles(
  root: string,
  wish: RenameRequest,
  { parts, definitions }: { readonly parts: readonly RenamePart[]; readonly definitions: SharedField['definitions'] },
): Promise<readonly RenamedFile[]> {
  const { kind, to } = wish;
  const filesBelow = async (folders: readonly string[]) =>
    (await Promise.all(folders.map((folder) => listFilesBelow(root, folder)))).flat();
  const screens = kind === 'state' || kind === 'flow' ? [] : [...new Set(parts.flatMap((part) => part.screens))];
  const [screenFiles, others] = await Promise.all([
    filesBelow(screens.map((screen) => `schemas/${screen}`)),
    filesBelow(['flows', scenarioFolder]),
  ]);
  const shared = definitions.filter(({ file }) => file.startsWith('schemas/_shared/'));
  const list = new Set([
    ...screenFiles,
    ...screens.map(getScreenCasesPath),
    ...screens.map(getScreenSnapshotPath),
    ...others,
    ...(await filesBelow(['schemas/_shared'])).filter((file) => shared.some((own) => isOfDefinition(own, file))),
    ...[suppressionsPath, uncoveredRulesFile, uncoveredTextsFile],
  ]);
  const files = await Promise.all(
    [...list].map(async (file): Promise<RenamedFile | null> => {
      const read = await readVersionedFile(root, file);
      if (read.version === null) return null;
      const screen = /^(?:schemas|tests\/fixtures)\/([^/.]+)(?=\/|\.(?:json|txt)$)/.exec(file)?.[1] ?? '';
      const own = parts.filter((part) => !screens.includes(screen) || part.screens.includes(screen));
      const inParts = file.startsWith('schemas/_shared/')
        ? read.text
        : own.reduce((text, { renaming }) => applyRenaming(file, text, renaming), read.text);
      const becomes = definitions
        .filter((definition) => isOfDefinition(definition, file))
        .reduce(
          (text, definition) => renameFieldInDefinition(text, new FieldRename(wish.from, to), definition),
          inParts,
        );
      const path = resolveMovedPath(wish, file);
      return becomes === read.text && path === file ? null : { ...read, becomes, path };
    }),
  );
  return files.filter((file) => file !== null);
}

function resolveMovedPath({ kind, of, to }: RenameRequest, file: string): string {
  if (kind === 'flow') return listFlowFiles(to)[listFlowFiles(of).indexOf(file)] ?? file;
  if (kind !== 'screen') return file;
  return file.replace(new RegExp(`^(schemas|tests/fixtures)/${of}(?=/|\\.(?:json|txt)$)`), `$1/${to}`);
}

function listFlowFiles(flow: string): readonly string[] {
  return [buildFlowFilePath(flow), `${scenarioFolder}/${flow}.json`];
}

function isOfDefinition({ file: own }: SharedField['definitions'][number], file: string): boolean {
  const start = own.slice(0, -'json'.length);
  return (
    file === own ||
    (own.startsWith('schemas/_shared/') && file.startsWith(start) && /^\w+\.json$/.test(file.slice(start.length)))
  );
}

const kinds: readonly (readonly [pattern: RegExp, kind: Exclude<keyof DefinitionRenaming, 'snapshot' | 'word'>])[] = [
  [/\/schema\.json$/, 'schema'],
  [new RegExp(`^${suppressionsPath}$`), 'lint'],
  [/^schemas\//, 'ui'],
  [new RegExp(`^${screenCasesFolder}/`), 'cases'],
  [/^flows\//, 'flow'],
  [new RegExp(`^(?:${uncoveredRulesFile}|${uncoveredTextsFile})$`), 'reasons'],
  [/^/, 'walks'],
];

export function applyRenaming(file: string, text: string, renaming: DefinitionRenaming): string {
  if (!text.includes(renaming.word)) return text;
  if (file.endsWith('.txt')) return renaming.snapshot?.(text) ?? text;
  const kind = kinds.find(([pattern]) => pattern.test(file))?.[1] ?? 'walks';
  const start = renaming[kind];
  return start ? replaceJsonStrings(text, (content) => start(content, basename(file, '.json'))) : text;
}

function isStateTaken({ of, to }: RenameRequest, files: readonly RenamedFile[]): boolean {
  const file = files.find((own) => own.file === `flows/${of}.json`);
  return file !== undefined && hasState(parseJsonOrUndefined(file.text), to);
}

function hasState(value: Json | undefined, name: string): boolean {
  const states = asObject(asObject(value)['states']);
  return Object.hasOwn(states, name) || Object.values(states).some((own) => hasState(own, name));
}

function createChanges({ file, version, path, becomes }: RenamedFile): readonly FileChange[] {
  if (path === file) return [{ file, base: version, text: becomes }];
  return [
    { file: path, base: null, text: becomes },
    { file, base: version, deleted: true },
  ];
}

/** Returns the changed lines. Line numbers do not change, because names contain no line breaks. */
function listChangedLines({ file, path, text, becomes }: RenamedFile): RenamePlan['files'][number] {
  const after = becomes.split('\n');
  const lines = text
    .split('\n')
    .flatMap((before, index) =>
      before === after[index] ? [] : [{ line: index + 1, before: before.trim(), after: (after[index] ?? '').trim() }],
    );
  return { file, path, lines };
}

async function listFilesBelow(root: string, folder: string): Promise<readonly string[]> {
  const found = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return found
    .filter((entry) => entry.isFile() && /\.(json|txt)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}
