import type { Flow, Ui } from '../core/definition.ts';
import type { JsonObject } from '../core/json.ts';
import { lint, slowPatterns } from './lint/lint.ts';
import { readSuppressions, suppress } from './lint/lint-file.ts';
import { onceAt, reportOf } from './sources/report.ts';
import { checkFormat } from './formats/check-format.ts';
import { checkSchema } from './check/schema/schema.ts';
import { translated } from './shared/translated.ts';
import type { CheckedScreen } from './screen/checked-screen.ts';
import { compile } from './compile-definitions.ts';
import { checkTogether, type ReadFlow } from './check-together.ts';
import { DefinitionError, type Definitions, type SetOptions } from './definitions.ts';
import { expandFlow } from './flow/expand-flow.ts';
import type { CompilerHost } from './files/host.ts';
import { messagesOf, readSet, sharedInputs, type FileSet, type ScreenFiles } from './files/read-set.ts';
import { ownPropertiesOf } from './screen/fields-of-schema.ts';
import { resolveSchema } from './shared/resolve-schema.ts';
import { expandStandard, withVisible } from './standard/expand-standard.ts';
import { seenSchema } from './standard/seen-words.ts';
import { inOwnWords } from './standard/ui-words.ts';
import { withColumns } from './shared/columns.ts';
import { checkCommonTexts } from './shared/common-texts.ts';
import { raisedNotices, readNotices, takeNotices, type SharedNotices } from './shared/shared-notices.ts';
import { abovePresets, readPresets, type Presets } from './shared/shared-presets.ts';
import { isOfSeparatePortal } from '../core/manifest.ts';
import type { LoadCache } from './sources/load-cache.ts';
import { Problems, type SourceFile } from './sources/source-file.ts';
import type { WrittenFlow } from './flow/written-flow.ts';
import { languageOf, say } from './sources/say.ts';

/** A set whose files have been read and checked individually. */
export interface ReadDefinitions {
  readonly set: FileSet;
  readonly screens: readonly CheckedScreen[];
  readonly flows: readonly Flow[];
}

export async function readUnchecked(
  host: CompilerHost,
  options: Pick<SetOptions, 'baseLanguage' | 'separatePortal' | 'defaults' | 'widgets'>,
  cache: LoadCache,
): Promise<ReadDefinitions> {
  cache.begin();
  const { set, screens, flows } = await readParts(host, options, new Problems(), cache);
  return { set, screens, flows: flows.map(({ flow }) => flow) };
}

/** Reads, checks and compiles a set. Throws a `DefinitionError` with all problems. */
export async function loadSet(host: CompilerHost, options: SetOptions, cache: LoadCache): Promise<Definitions> {
  cache.begin();
  const { analysis } = options;
  const language = languageOf(options.language);
  const problems = new Problems(language);
  const { set, screens, flows } = await readParts(host, options, problems, cache);
  // A file that cannot be read would cause consequential problems in others, so the checks across files are skipped.
  const complete = set.readable && screens.length === set.screens.length && flows.length === set.flows.length;
  if (complete) checkTogether({ set, screens, flows }, options, problems, cache);
  const suppressions = analysis ? await readSuppressions(host.files, problems) : [];
  if (problems.list.length > 0) throw new DefinitionError(problems.list, !complete);
  const findings = analysis
    ? suppress(lint(set, screens, flows, analysis, { language, cache }), suppressions, language)
    : [];
  if (findings.some(({ severity }) => severity === 'E')) throw new DefinitionError(findings);
  const slow = slowPatterns(set, screens, language);
  if (slow.length > 0) throw new DefinitionError(slow);
  return compile({ set, screens, flows, findings, language, cache, run: host.run });
}

async function readParts(
  host: CompilerHost,
  {
    separatePortal,
    facts,
    validated,
    defaults,
    widgets = [],
    ...options
  }: Pick<SetOptions, 'baseLanguage' | 'separatePortal' | 'validated' | 'widgets'> &
    Pick<Partial<SetOptions>, 'facts' | 'defaults'>,
  problems: Problems,
  cache: LoadCache,
) {
  const set = await readSet(host, options, problems, cache);
  checkCommonTexts(set, problems);
  const flows = readFlows(set, { facts, defaults }, problems, cache);
  const files = sharedInputs(set);
  const shared = {
    widgets,
    facts: facts && [...new Set(facts.map((path) => path.split('.')[0] ?? '')), ...(validated?.own ?? [])],
    files,
    notices: cache.checked('notices', files, problems, (own) => readNotices(set, own)),
    raised: raisedNotices(flows),
    presets: cache.checked('presets', files, problems, (own) => readPresets(set, own)),
    separate: new Set(screensOf(flows.filter(({ flow }) => isOfSeparatePortal(flow, separatePortal?.access)))),
  };
  const screens = set.screens.flatMap((own) => readScreen(own, set, shared, problems, cache) ?? []);
  return { set, screens, flows };
}

/** Inputs that all screens share, apart from shared field definitions. */
interface SharedParts {
  /** Files that notices and presets are read from. */
  readonly files: readonly unknown[];
  readonly notices: SharedNotices;
  readonly widgets: readonly string[];
  /** Facts that plugin rules may read. */
  readonly facts: readonly string[] | undefined;
  /** Notices that the flows raise, by screen. */
  readonly raised: ReadonlyMap<string, ReadonlySet<string>>;
  readonly presets: Presets;
  /** Screens of the separate portal, which do not need translations. */
  readonly separate: ReadonlySet<string>;
}

function screensOf(flows: readonly ReadFlow[]): readonly string[] {
  return flows.flatMap(({ flow }) => Object.values(flow.states).flatMap(({ screen }) => screen ?? []));
}

function readFlows(
  set: FileSet,
  { facts, defaults }: Partial<Pick<SetOptions, 'facts' | 'defaults'>>,
  problems: Problems,
  cache: LoadCache,
): readonly ReadFlow[] {
  const words = JSON.stringify([facts, defaults]);
  return set.flows.flatMap((file) => {
    const expanded = cache.checked(`flow ${file.path}`, [file, words, set.plugins], problems, (own) => {
      if (!checkFormat(file, 'flow', own)) return null;
      const name = file.path.replace(/^flows\/|\.json$/g, '');
      const written = { id: name, ...(file.value as unknown as Partial<WrittenFlow>) } as WrittenFlow; // the format was just checked
      const report = reportOf(file, own);
      if (written.id !== name)
        report(
          '/id',
          say`The id "${written.id}" is not the file's name.`,
          say`Remove it: the name of the file is enough.`,
        );
      return expandFlow(written, report, { facts, defaults });
    });
    return expanded ? [{ ...expanded, file, report: onceAt(expanded.placeOf, reportOf(file, problems)) }] : [];
  });
}

function readScreen(
  files: ScreenFiles,
  set: FileSet,
  shared: SharedParts,
  problems: Problems,
  cache: LoadCache,
): CheckedScreen | null {
  const { id, ui } = files;
  if (!ui) {
    const at = { path: `schemas/${id}/ui.json`, text: '', tree: undefined };
    if (!problems.list.some(({ file }) => file === at.path))
      problems.add(at, '', say`The screen has no ui.json.`, say`Add one with at least a "title".`);
    return null;
  }
  if (set.unread.some((path) => files.schema?.text.includes(path.replace('schemas/', '../')))) return null; // its fields may be there
  const raised = shared.raised.get(id) ?? new Set<string>();
  const words = JSON.stringify([shared.widgets, shared.facts, [...raised].sort(), shared.separate.has(id)]);
  const inputs = [ui, files.schema, ...files.translations.values(), set.plugins, words, ...shared.files];
  return cache.checked(`screen ${id}`, inputs, problems, (own) => checkedScreen({ ...files, ui }, set, shared, own));
}

function checkedScreen(
  { id, schema: schemaFile, ui: uiFile, translations }: ScreenFiles & { readonly ui: SourceFile },
  set: FileSet,
  shared: SharedParts,
  problems: Problems,
): CheckedScreen | null {
  const named = set.languages.length === 1;
  const isWidget = (name: string) => set.plugins.byName.get(name)?.hasWidget === true || shared.widgets.includes(name);
  const names = Object.keys(ownPropertiesOf((schemaFile?.value ?? {}) as JsonObject)); // other values have no properties
  const given = named ? inOwnWords(uiFile.value, { names, isWidget }) : uiFile.value;
  const fine = [
    checkFormat(uiFile, 'ui', problems, given),
    schemaFile === null || checkFormat(schemaFile, 'screen', problems),
  ].every(Boolean);
  if (!fine) return null;
  const expanded = schemaFile && expandStandard(resolveSchema(schemaFile, set.shared, problems), named);
  const take = (own: Ui, language: string): { readonly schema: JsonObject | null; readonly ui: Ui } => {
    const noticed = (drawn: Ui) =>
      takeNotices(drawn, shared.notices.get(language) ?? {}, shared.raised.get(id) ?? new Set());
    if (!expanded) return { schema: null, ui: noticed(withColumns(own)) };
    const preset = abovePresets(own, expanded.references, shared.presets.get(language) ?? new Map());
    const messages = messagesOf(set, language);
    const words = { named, messages, isWidget, choices: Object.keys(expanded.decidedBy) };
    const { schema, ui } = seenSchema(expanded.schema, withColumns(preset), words);
    return { schema, ui: noticed(withVisible(ui, expanded.visible)) };
  };
  const { schema, ui } = take(given as unknown as Ui, set.baseLanguage); // the format was just checked
  const unread =
    expanded && schema ? checkSchema({ ...expanded, schema }, set.plugins, shared.facts) : new Set<string>();
  if (unread.has('')) return null;
  const uis = new Map([[set.baseLanguage, ui]]);
  for (const language of set.languages.slice(1)) {
    if (!translations.has(language) && shared.separate.has(id)) continue;
    const own = translated(uiFile, translations.get(language), language, problems) as Ui | null; // ui.json with other texts
    if (own) uis.set(language, take(own, language).ui);
  }
  const { requiredWhen = {}, offeredWhen = {}, decidedBy = {} } = expanded ?? {};
  return { id, schema, unread, conditions: { requiredWhen, offeredWhen, decidedBy }, ui, uis };
}
