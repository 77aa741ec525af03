import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { baseLanguage } from '../../contract/portal-config.ts';
import {
  DefinitionError,
  type ServedDefinitions,
  type LoadDefinitionsOptions,
  type FileTextOverrides,
  type DefinitionProblem,
} from '../../engine/compiler/definitions.ts';
import type { Flow } from '../../engine/core/flow-and-screen-types.ts';
import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import type { DefinitionLoadCache } from '../../engine/compiler/sources/load-cache.ts';
import type { MismatchedCase, VersionedFile } from '../studio-api-types.ts';
import { scenarioFolder } from '../scenario/scenario.ts';
import { readScenarios } from '../../cli/definitions/cases/read-scenarios.ts';
import {
  getScreenCasesPath,
  screenCasesFolder,
  parseScreenCases,
  type ScreenCase,
} from '../../cli/definitions/cases/screen-cases.ts';
import { readVersionedFile } from './definition-files.ts';
import { existsSync } from 'node:fs';
import { findMailAndHelpPageProblems } from './mail-and-help-page-problems.ts';
import { replaceIndexesWithItems } from '../../engine/core/field-path.ts';
import { findErrorMessageDifferences } from '../../cli/definitions/cases/failing-cases.ts';
import type { ScreenCaseEntry, ScreenCaseFault, GalleryScreen } from '../dev-page-data.ts';

interface EditCheckResult {
  readonly problems: readonly DefinitionProblem[];
  /** Whether a file was unreadable, so that references between files could not be checked. */
  readonly partial: boolean;
  readonly mismatched: readonly MismatchedCase[];
  /** Cases of changed screens that pass before the edits and fail after them. Empty if `isTrial` is not set. */
  readonly breaks: readonly MismatchedCase[];
}

/**
 * Checks definitions with changed texts of some files. A text of `null` removes the file. Returns only new problems, so
 * that invalid definitions can be repaired file by file. If `texts` contains test cases and `field` is set, also
 * returns the cases that contradict the rules of that field. `cache` is shared with other loads of this project.
 */
export async function checkEdits(
  options: LoadDefinitionsOptions,
  texts: FileTextOverrides,
  { field, isTrial = false }: { readonly field?: string | undefined; readonly isTrial?: boolean },
  cache: DefinitionLoadCache,
): Promise<EditCheckResult> {
  const none = { mismatched: [], breaks: [] };
  const now = isTrial ? await tryLoadDefinitions(options, cache) : null; // loads the current definitions before the edited ones, because the cache stores only one version of each file
  const { definitions, ...after } = await tryLoadDefinitions({ ...options, texts }, cache);
  const ofDocuments = await findMailAndHelpPageProblems(options.root, texts, definitions);
  if (ofDocuments.length > 0) return { problems: ofDocuments, partial: false, ...none };
  if (definitions) {
    const checked = await checkWithTests(options, texts, definitions, field);
    const isFine = checked.problems.length === 0 && checked.mismatched.length === 0;
    const breaks =
      isFine && now?.definitions ? await findBrokenCases(options.root, texts, now.definitions, definitions) : [];
    return { ...after, ...checked, breaks };
  }
  const before = now ?? (await tryLoadDefinitions(options, cache));
  const known = new Set(before.problems.map(createProblemKey));
  const added = after.problems.filter((problem) => !known.has(createProblemKey(problem)));
  // If references were not checked before the edits, only problems in the changed files count as new.
  const isRevealed = before.partial && !after.partial;
  return { ...after, ...none, problems: isRevealed ? added.filter(({ file }) => texts.has(file)) : added };
}

async function checkWithTests(
  { language }: LoadDefinitionsOptions,
  texts: FileTextOverrides,
  definitions: ServedDefinitions,
  field: string | undefined,
): Promise<Pick<EditCheckResult, 'problems' | 'mismatched'>> {
  const tests = [...texts].filter(([file]) => file.startsWith(scenarioFolder) || file.startsWith(screenCasesFolder));
  if (tests.length === 0) return { problems: [], mismatched: [] };
  const folder = await mkdtemp(join(tmpdir(), 'studio-'));
  try {
    for (const [file, text] of tests) {
      if (text === null) continue;
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    const { problems } = await readScenarios(folder, definitions, language);
    const isCompared = problems.length === 0 && field !== undefined;
    return { problems, mismatched: isCompared ? await findMismatchedCases(folder, definitions, field) : [] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Trial = Pick<EditCheckResult, 'problems' | 'partial'> & { readonly definitions: ServedDefinitions | null };

export async function tryLoadDefinitions(options: LoadDefinitionsOptions, cache: DefinitionLoadCache): Promise<Trial> {
  try {
    return { definitions: await loadDefinitions(options, cache), problems: [], partial: false };
  } catch (error) {
    if (error instanceof DefinitionError)
      return { definitions: null, problems: error.problems, partial: error.partial };
    throw error;
  }
}

async function findBrokenCases(
  root: string,
  texts: FileTextOverrides,
  now: ServedDefinitions,
  then: ServedDefinitions,
): Promise<readonly MismatchedCase[]> {
  const [before, after] = [now, then].map((set) => set.manifest(baseLanguage).screens);
  const screens = [...now.screens].filter((name) => after?.[name] && before?.[name]?.url !== after[name].url);
  const faulty = await findFaultyCases(root, texts, now, screens);
  const wrong = new Set(faulty.map(({ file, name }) => `${file} ${name}`));
  const list = await findFaultyCases(root, texts, then, screens);
  return list.filter(({ file, name }) => !wrong.has(`${file} ${name}`));
}

async function findFaultyCases(
  root: string,
  texts: FileTextOverrides,
  definitions: ServedDefinitions,
  screens: readonly string[],
): Promise<readonly MismatchedCase[]> {
  const found = screens.map(async (screen) => {
    const file = getScreenCasesPath(screen);
    const text = texts.get(file) ?? (await readVersionedFile(root, file)).text;
    const list = text === '' ? [] : checkScreenCaseFile({ file, text }, definitions, screen).list;
    return list.flatMap(({ name, faults }) => faults.map((fault) => ({ file, name, fault })));
  });
  return (await Promise.all(found)).flat();
}

/** Ignores cases that expect another message, because the field is invalid as expected. */
async function findMismatchedCases(root: string, definitions: ServedDefinitions, field: string) {
  const files = await readdir(join(root, screenCasesFolder)).catch(() => []);
  const screens = files.flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []);
  const cases = await Promise.all(screens.map((screen) => checkScreenCases(root, definitions, screen)));
  return cases.flat().flatMap(({ file, name, faults }) =>
    faults.flatMap((fault) => {
      const isOfField = fault.kind === 'differs' && [fault.field, replaceIndexesWithItems(fault.field)].includes(field);
      return isOfField && (fault.expected === '') !== (fault.actual === '') ? [{ file, name, fault }] : [];
    }),
  );
}

function createProblemKey({ file, pointer, message }: DefinitionProblem): string {
  return `${file} ${pointer} ${message}`;
}

type CheckedCase = ScreenCaseEntry & ScreenCase;

export function indexScreenTitles(current: ServedDefinitions): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...current.screens].map((name) => {
      const title = current.ui(name, baseLanguage)?.['title'];
      const first: unknown = Array.isArray(title) ? title[0]?.['text'] : title;
      return [name, typeof first === 'string' ? first : name];
    }),
  );
}

export async function readGalleryScreens(
  root: string,
  definitions: ServedDefinitions,
): Promise<readonly GalleryScreen[]> {
  const titles = indexScreenTitles(definitions);
  const flows = Object.values(definitions.flows);
  return Promise.all(
    [...definitions.screens].sort().map(async (name) => ({
      name,
      title: titles[name] ?? name,
      area: definitions.descriptions[flows.find((flow) => drawsScreen(flow, name))?.id ?? '']?.area ?? null,
      files: ['schema.json', 'ui.json', 'ui.pt.json']
        .map((file) => `schemas/${name}/${file}`)
        .filter((file) => existsSync(join(root, file))),
      states: flows.flatMap((flow) =>
        Object.entries(flow.states)
          .filter(([, { screen }]) => screen === name)
          .map(([state]) => {
            const description = definitions.descriptions[flow.id]?.states[state];
            return { name: `${flow.id}.${state}`, ...(description === undefined ? {} : { description }) };
          }),
      ),
      fixtures: (await checkScreenCases(root, definitions, name)).map(
        ({ data: _data, context: _context, ownData: _ownData, ...entry }) => entry,
      ),
    })),
  );
}

function drawsScreen({ states }: Flow, name: string): boolean {
  return Object.values(states).some(({ screen }) => screen === name);
}

/** Checks the test cases of a screen. An unreadable case has no values and a fault. */
export async function checkScreenCases(root: string, definitions: ServedDefinitions, screen: string) {
  const file = await readVersionedFile(root, getScreenCasesPath(screen));
  return file.version === null ? [] : checkScreenCaseFile(file, definitions, screen).list;
}

export function checkScreenCaseFile(
  { file, text }: Pick<VersionedFile, 'file' | 'text'>,
  definitions: ServedDefinitions,
  screen: string,
): Pick<ScreenCase, 'data' | 'context'> & { readonly list: readonly CheckedCase[] } {
  try {
    const { data, context, cases, malformedCases } = parseScreenCases(text);
    const list = cases.map((own) => {
      const { errors } = definitions.check(screen, own.data, { language: baseLanguage, context: own.context });
      const shape: ScreenCaseFault = { kind: 'shape', detail: 'note, data | with, without, context, errors' };
      const differing = findErrorMessageDifferences(own.errors, errors).map((one): ScreenCaseFault => ({
        kind: 'differs',
        ...one,
      }));
      return { ...own, file, faults: malformedCases.includes(own.name) ? [shape] : differing };
    });
    return { data, context, list };
  } catch (error) {
    const empty = { note: '', data: {}, context: {}, errors: {}, ownData: false };
    const fault: ScreenCaseFault = { kind: 'unreadable', detail: String(error) };
    return { data: {}, context: {}, list: [{ name: screen, file, ...empty, faults: [fault] }] };
  }
}
