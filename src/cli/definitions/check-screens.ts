import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { baseLanguage } from '../../contract/portal-config.ts';
import type { ServedDefinitions } from '../../engine/compiler/definitions.ts';
import { hashForUrl } from '../../engine/compiler/sources/hash-for-url.ts';
import type { DefinitionsManifest } from '../../engine/core/definitions-manifest.ts';
import type { StoredCacheResults } from '../../engine/compiler/sources/load-cache.ts';
import type { LocalizedText } from '../../engine/compiler/sources/localized-text.ts';
import { readScreenCases, getScreenSnapshotPath, unresolvedValuePattern } from './cases/screen-cases.ts';
import {
  updateExpectedCaseErrors,
  findFailingCases,
  findRejectionsOfValidCase,
  formatFailingCases,
  type FailingCase,
} from './cases/failing-cases.ts';
import { formatShortList, type createLocalizedPrint, localize } from './localized-output.ts';
import { hashSnapshotRenderer, listDifferingSnapshotLines, type SnapshotRenderer } from './cases/screen-snapshots.ts';

export interface ScreenCheckResult {
  readonly screen: string;
  /** Path of the snapshot. */
  readonly file: string;
  readonly failing: readonly FailingCase[];
  readonly changedSnapshot: ReturnType<typeof listDifferingSnapshotLines> | null;
  /** First unresolved placeholder or similar value in a rendered text. */
  readonly unread: string | undefined;
  readonly thrown?: string;
}

export interface CheckContext {
  readonly root: string;
  readonly definitions: ServedDefinitions;
  readonly kept: StoredCacheResults;
}

/** Lists the screens that have changed since their cases and snapshots last passed. */
export async function listUncheckedScreens(checkContext: CheckContext): Promise<readonly string[]> {
  const unchecked: string[] = [];
  for (const screen of checkContext.definitions.screens)
    if (checkContext.kept.get(buildResultKey(screen))?.inputs !== (await hashInputs(checkContext, screen)))
      unchecked.push(screen);
  return unchecked;
}

/** With `accept`, writes the current results to the files as the expected ones. */
export async function checkScreens(
  checkContext: CheckContext,
  renderer: SnapshotRenderer,
  screens: readonly string[],
  accept: boolean,
): Promise<readonly ScreenCheckResult[]> {
  const results: ScreenCheckResult[] = [];
  for (const screen of screens) {
    const result = await checkScreen(checkContext, renderer, screen, accept);
    results.push(result);
    const passed =
      result.unread === undefined &&
      result.thrown === undefined &&
      (accept ? !rejectsValidCase(result) : result.failing.length === 0 && !result.changedSnapshot);
    if (passed)
      checkContext.kept.set(buildResultKey(screen), { inputs: await hashInputs(checkContext, screen), value: true });
  }
  return results;
}

/** Whether the rules reject the case "valid". Then its values or the rules are wrong, and the results of the other cases cannot be accepted either. */
export function rejectsValidCase({ failing }: Pick<ScreenCheckResult, 'failing'>): boolean {
  return findRejectionsOfValidCase(failing).length > 0;
}

async function checkScreen(
  { root, definitions }: CheckContext,
  { render }: SnapshotRenderer,
  screen: string,
  accept: boolean,
): Promise<ScreenCheckResult> {
  const cases = await readScreenCases(root, screen);
  const failing = findFailingCases(definitions, screen, cases);
  const file = getScreenSnapshotPath(screen);
  const rendering = await render(
    readModule(definitions, screen, baseLanguage),
    readModule(definitions, screen, definitions.languages[1] ?? baseLanguage),
    cases.context,
  ).catch((error: unknown) => new Error(undefined, { cause: error }));
  if (rendering instanceof Error)
    return { screen, file, failing, changedSnapshot: null, unread: undefined, thrown: String(rendering.cause) };
  const before = await readText(root, file);
  const [unread] = unresolvedValuePattern.exec(rendering) ?? [];
  if (accept) {
    if (!rejectsValidCase({ failing })) for (const one of failing) await updateExpectedCaseErrors(root, one);
    if (rendering !== before && unread === undefined) await writeFile(join(root, file), rendering);
  }
  return {
    screen,
    file,
    failing,
    changedSnapshot: rendering === before ? null : listDifferingSnapshotLines(before, rendering),
    unread,
  };
}

/** Hashes everything that affects the cases and the snapshot of a screen. */
async function hashInputs({ root, definitions }: CheckContext, screen: string): Promise<string> {
  const modules = definitions.languages.map((language) => findModulePath(definitions, screen, language));
  const texts = [
    JSON.stringify(await readScreenCases(root, screen).catch(() => null)),
    await readText(root, getScreenSnapshotPath(screen)),
  ];
  return hashForUrl([hashSnapshotRenderer(), ...modules, ...texts].join('\0'));
}

function buildResultKey(screen: string): string {
  return `screen ${screen}`;
}

export function readModule(definitions: ServedDefinitions, screen: string, language: string): string {
  const address = findModulePath(definitions, screen, language);
  return definitions.modules.find(({ url }) => url === address)?.source ?? '';
}

/** Manifests by definitions and language. Cached, because each manifest lists all screens. */
const manifests = new WeakMap<ServedDefinitions, Map<string, DefinitionsManifest>>();

export function findModulePath(definitions: ServedDefinitions, screen: string, language: string): string {
  const known = manifests.get(definitions) ?? new Map<string, DefinitionsManifest>();
  manifests.set(definitions, known);
  const manifest = known.get(language) ?? definitions.manifest(language);
  known.set(language, manifest);
  return manifest.screens[screen]?.url ?? '';
}

function readText(root: string, file: string): Promise<string> {
  return readFile(join(root, file), 'utf8').catch(() => ''); // returns an empty text for a new screen, which has no snapshot
}

export function printScreenResult(
  result: ScreenCheckResult,
  accept: boolean,
  print: ReturnType<typeof createLocalizedPrint>,
  language: string,
): void {
  const { screen, failing, changedSnapshot, unread, thrown, file } = result;
  for (const line of formatFailingCases(failing, language)) print(line);
  if (changedSnapshot?.isNew) print(localize`the screen has no snapshot yet.`, `${screen}: `);
  else if (changedSnapshot) {
    print(localize`the screen looks different:`, `${file}: `);
    for (const line of changedSnapshot.lines) print(`  ${line}`);
    if (changedSnapshot.more > 0) print(localize`and ${changedSnapshot.more} more lines`, '  ');
  }
  if (unread !== undefined)
    print(
      localize`the screen shows "${unread}": a value is missing. Give it one in "context" of the cases.`,
      `${file}: `,
    );
  if (thrown !== undefined)
    print(localize`the screen cannot be drawn: ${thrown}. Correct the widget that fails.`, `schemas/${screen}: `);
  if (rejectsValidCase(result) || (failing.length === 0 && !changedSnapshot)) return;
  if (accept) print(localize`${screen}: accepted. Review the changes in tests/fixtures before you submit them.`);
  else
    print(
      localize`${screen}: if this is correct, accept it with npm run check -- ${screen} --accept. Otherwise correct the screen or the case.`,
    );
}

export function describeScreenFailure(result: ScreenCheckResult, accept: boolean): readonly LocalizedText[] {
  const { screen, failing, changedSnapshot, unread, thrown } = result;
  if (unread !== undefined || thrown !== undefined) return [localize`the snapshot of ${screen}`];
  if (accept && !rejectsValidCase(result)) return [];
  return [
    ...(failing.length > 0 ? [localize`cases of ${screen}: ${formatShortList(failing.map(({ name }) => name))}`] : []),
    ...(changedSnapshot ? [localize`the snapshot of ${screen}`] : []),
  ];
}
