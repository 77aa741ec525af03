import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { baseLanguage } from '../../contract/portal-config.ts';
import {
  DefinitionError,
  type Definitions,
  type DefinitionsOptions,
  type OtherTexts,
  type Problem,
} from '../../engine/compiler/definitions.ts';
import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import type { LoadCache } from '../../engine/compiler/sources/load-cache.ts';
import type { MismatchedCase } from '../studio-data.ts';
import { walksFolder } from '../walk/walk.ts';
import { readWalks } from '../../cli/definitions/read-walks.ts';
import { casesFile, casesFolder } from '../../cli/definitions/cases.ts';
import { readVersioned } from './definition-files.ts';
import { fixturesIn, readFixtures } from './dev-catalogue.ts';

/** What is wrong with a set. */
export interface Verdict {
  readonly problems: readonly Problem[];
  /** A file could not be read: nothing was checked across files. */
  readonly partial: boolean;
  /** Cases among the files that expect of the field in question what the rules do not say; none where the set has problems. */
  readonly mismatched: readonly MismatchedCase[];
}

/**
 * What would be wrong with the definitions of a project after some of its files had other texts, or were gone (null), beyond what is wrong
 * already: a set that was broken elsewhere can be mended file by file. With a `field`, whether the cases among them expect of it what the
 * rules say. The `cache` is of the loads of this project.
 */
export async function verdictAfter(
  options: DefinitionsOptions,
  texts: OtherTexts,
  { field, cache }: { readonly field?: string | undefined; readonly cache: LoadCache },
): Promise<Verdict> {
  const { definitions, ...after } = await tried({ ...options, texts }, cache);
  if (definitions) return { ...after, ...(await heldByTests(options, texts, { definitions, field })) };
  const before = await tried(options, cache);
  const known = new Set(before.problems.map(keyOf));
  const added = after.problems.filter((problem) => !known.has(keyOf(problem)));
  // What only now can be checked across files was there unseen, unless it is of the files that are written.
  const isRevealed = before.partial && !after.partial;
  return { ...after, mismatched: [], problems: isRevealed ? added.filter(({ file }) => texts.has(file)) : added };
}

/** What the walks and the cases among the texts say of a set: they stand in a folder of their own meanwhile. */
async function heldByTests(
  { language }: DefinitionsOptions,
  texts: OtherTexts,
  { definitions, field }: { readonly definitions: Definitions; readonly field: string | undefined },
): Promise<Pick<Verdict, 'problems' | 'mismatched'>> {
  const tests = [...texts].filter(([file]) => file.startsWith(walksFolder) || file.startsWith(casesFolder));
  if (tests.length === 0) return { problems: [], mismatched: [] };
  const folder = await mkdtemp(join(tmpdir(), 'studio-'));
  try {
    for (const [file, text] of tests) {
      if (text === null) continue;
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    const { problems } = await readWalks(folder, definitions, language);
    const isCompared = problems.length === 0 && field !== undefined;
    return { problems, mismatched: isCompared ? await mismatchedIn(folder, definitions, field) : [] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Tried = Pick<Verdict, 'problems' | 'partial'> & { readonly definitions: Definitions | null };

/** A set as it is compiled, or what is wrong with it. */
export async function tried(options: DefinitionsOptions, cache: LoadCache): Promise<Tried> {
  try {
    return { definitions: await loadDefinitions(options, cache), problems: [], partial: false };
  } catch (error) {
    if (error instanceof DefinitionError)
      return { definitions: null, problems: error.problems, partial: error.partial };
    throw error;
  }
}

/** Cases of screens that change, as far as they expect what the rules of now say and those of then do not. */
export async function brokenCases(
  options: DefinitionsOptions,
  texts: OtherTexts,
  cache: LoadCache,
): Promise<readonly MismatchedCase[]> {
  const { definitions: now } = await tried(options, cache);
  const { definitions: then } = await tried({ ...options, texts }, cache);
  if (!now || !then) return [];
  const screens = changedScreens(now, then).filter((name) => now.screens.has(name));
  const faulty = await faultyCases(options.root, texts, { definitions: now, screens });
  const wrong = new Set(faulty.map(({ file, name }) => `${file} ${name}`));
  const list = await faultyCases(options.root, texts, { definitions: then, screens });
  return list.filter(({ file, name }) => !wrong.has(`${file} ${name}`));
}

/** The screens of the second of two sets that the first has otherwise, or not at all. */
function changedScreens(now: Definitions, then: Definitions): readonly string[] {
  const [before, after] = [now, then].map((set) => set.manifest(baseLanguage).screens);
  return [...then.screens].filter((name) => before?.[name]?.url !== after?.[name]?.url);
}

/** Cases of some screens, as they stand among the texts or on the disk, that expect what the rules of a set do not say. */
async function faultyCases(
  root: string,
  texts: OtherTexts,
  { definitions, screens }: { readonly definitions: Definitions; readonly screens: readonly string[] },
): Promise<readonly MismatchedCase[]> {
  const found = screens.map(async (screen) => {
    const file = casesFile(screen);
    const text = texts.get(file) ?? (await readVersioned(root, file)).text;
    const list = text === '' ? [] : fixturesIn({ file, text }, definitions, screen).list;
    return list.flatMap(({ name, faults }) => faults.map((fault) => ({ file, name, fault })));
  });
  return (await Promise.all(found)).flat();
}

/** Of the cases of a folder, which of them the rules contradict: an error that is worded otherwise is one as well. */
async function mismatchedIn(root: string, definitions: Definitions, field: string): Promise<readonly MismatchedCase[]> {
  const files = await readdir(join(root, casesFolder)).catch(() => []);
  const screens = files.flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []);
  const cases = await Promise.all(screens.map((screen) => readFixtures(root, definitions, screen)));
  return cases.flat().flatMap(({ file, name, faults }) =>
    faults.flatMap((fault) => {
      // An item of a list goes by its place in a case, by "items" where it is renamed.
      const isOfField =
        fault.kind === 'differs' && [fault.field, fault.field.replaceAll(/\.\d+(?=\.|$)/g, '.items')].includes(field);
      return isOfField && (fault.expected === '') !== (fault.actual === '') ? [{ file, name, fault }] : [];
    }),
  );
}

function keyOf({ file, pointer, message }: Problem): string {
  return `${file} ${pointer} ${message}`;
}
