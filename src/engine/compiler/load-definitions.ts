import type { Flow, Ui } from '../core/definition.ts';
import { analyse, slowPatterns } from './analyse/analyse.ts';
import { readSuppressions, suppress } from './analyse/lint-file.ts';
import { checkFlow } from './check/flow/flow.ts';
import { checkPaths } from './check/flow/paths.ts';
import { checkReads } from './check/reads.ts';
import { onceAt, reportOf, type Report } from './sources/report.ts';
import { checkFormat } from './formats/check-format.ts';
import { checkComputed } from './check/schema/computed.ts';
import { checkSchema } from './check/schema/schema.ts';
import { addressIn } from './shared/texts.ts';
import { translated } from './shared/translated.ts';
import { checkMessages } from './check/ui/messages.ts';
import { checkPlaceholders } from './check/ui/placeholders.ts';
import { checkUi } from './check/ui/ui.ts';
import type { CheckedScreen } from './screen/checked-screen.ts';
import { compile } from './compile-definitions.ts';
import { DefinitionError, type Definitions, type DefinitionsOptions, type FieldRead } from './definitions.ts';
import { screensSentBy } from './flow/saved-screens.ts';
import { expandFlow, type ExpandedFlow } from './flow/expand-flow.ts';
import { ownPropertiesOf } from './screen/fields-of-schema.ts';
import { messagesOf, readSet, type FileSet, type ScreenFiles } from './files/read-set.ts';
import { resolveSchema } from './shared/resolve-schema.ts';
import { checkCommonTexts } from './shared/common-texts.ts';
import { raisedNotices, readNotices, takeNotices, type SharedNotices } from './shared/shared-notices.ts';
import { abovePresets, readPresets, type Presets } from './shared/shared-presets.ts';
import { isOfSeparatePortal } from '../core/separate-portal.ts';
import { Problems, type SourceFile } from './sources/source-file.ts';
import type { WrittenFlow } from './flow/written-flow.ts';
import { languageOf, say } from './sources/say.ts';

/** A set as it is read: what each file is by itself. */
export interface ReadDefinitions {
  readonly set: FileSet;
  readonly screens: readonly CheckedScreen[];
  readonly flows: readonly Flow[];
}

/** Reads a set without checking it, e.g. one of an earlier version; what cannot be read is left out. */
export async function readDefinitions(
  options: Pick<DefinitionsOptions, 'root' | 'baseLanguage' | 'separatePortal' | 'defaults'>,
): Promise<ReadDefinitions> {
  const { set, screens, flows } = await readParts(options, new Problems());
  return { set, screens, flows: flows.map(({ flow }) => flow) };
}

/** Reads, checks and compiles the definitions of a project. Throws a DefinitionError that lists everything wrong. */
export async function loadDefinitions(options: DefinitionsOptions): Promise<Definitions> {
  const { root, analysis } = options;
  const language = languageOf(options.language);
  const problems = new Problems(language);
  const { set, screens, flows } = await readParts(options, problems);
  // A file that could not be read would make the others look wrong: what names it must wait.
  const complete = set.readable && screens.length === set.screens.length && flows.length === set.flows.length;
  if (complete) checkTogether(set, screens, flows, options, problems);
  const suppressions = analysis ? await readSuppressions(root, problems) : [];
  if (problems.list.length > 0) throw new DefinitionError(problems.list, !complete);
  const findings = analysis ? suppress(analyse(set, screens, flows, analysis, language), suppressions, language) : [];
  if (findings.some(({ severity }) => severity === 'E')) throw new DefinitionError(findings);
  const slow = slowPatterns(set, screens, language);
  if (slow.length > 0) throw new DefinitionError(slow);
  return compile(set, screens, flows, findings, language);
}

async function readParts(
  {
    root,
    baseLanguage,
    separatePortal,
    facts,
    validated,
    defaults,
  }: Pick<DefinitionsOptions, 'root' | 'baseLanguage' | 'separatePortal' | 'validated'> &
    Pick<Partial<DefinitionsOptions>, 'facts' | 'defaults'>,
  problems: Problems,
) {
  const set = await readSet(root, baseLanguage, problems);
  checkCommonTexts(set, problems);
  const flows = readFlows(set, { facts, defaults }, problems);
  const shared = {
    facts: facts && [...new Set(facts.map((path) => path.split('.')[0] ?? '')), ...(validated?.own ?? [])],
    notices: readNotices(set, problems),
    raised: raisedNotices(flows),
    presets: readPresets(set, problems),
    separate: new Set(screensOf(flows.filter(({ flow }) => isOfSeparatePortal(flow, separatePortal?.access)))),
  };
  const screens = set.screens.flatMap((files) => readScreen(files, set, shared, problems) ?? []);
  return { set, screens, flows };
}

/** What screens share beside the rules of fields. */
interface SharedParts {
  readonly notices: SharedNotices;
  /** The facts that rules of plugins may read. */
  readonly facts: readonly string[] | undefined;
  /** The notices that the flows raise on each screen. */
  readonly raised: ReadonlyMap<string, ReadonlySet<string>>;
  readonly presets: Presets;
  /** The screens of the separate portal, which may speak the base language alone. */
  readonly separate: ReadonlySet<string>;
}

function screensOf(flows: readonly ReadFlow[]): readonly string[] {
  return flows.flatMap(({ flow }) => Object.values(flow.states).flatMap(({ screen }) => screen ?? []));
}

/** A flow, and the way to say what is wrong with it. */
type ReadFlow = ExpandedFlow & { readonly file: SourceFile; readonly report: Report };

function readFlows(
  set: FileSet,
  { facts, defaults }: Partial<Pick<DefinitionsOptions, 'facts' | 'defaults'>>,
  problems: Problems,
): readonly ReadFlow[] {
  return set.flows.flatMap((file) => {
    if (!checkFormat(file, 'flow', problems)) return [];
    const name = file.path.replace(/^flows\/|\.json$/g, '');
    const written = { id: name, ...(file.value as unknown as Partial<WrittenFlow>) } as WrittenFlow; // its format was just checked
    const report = reportOf(file, problems);
    if (written.id !== name)
      report(
        '/id',
        say`The id "${written.id}" is not the file's name.`,
        say`Remove it: the name of the file is enough.`,
      );
    const expanded = expandFlow(written, report, { facts, defaults });
    return [{ ...expanded, file, report: onceAt(expanded.placeOf, report) }];
  });
}

function readScreen(files: ScreenFiles, set: FileSet, shared: SharedParts, problems: Problems): CheckedScreen | null {
  const { id, schema: schemaFile, ui: uiFile } = files;
  if (!uiFile) {
    const at = { path: `schemas/${id}/ui.json`, text: '', tree: undefined };
    if (!problems.list.some(({ file }) => file === at.path))
      problems.add(at, '', say`The screen has no ui.json.`, say`Add one with at least a "title".`);
    return null;
  }
  const fine = [
    checkFormat(uiFile, 'ui', problems),
    schemaFile === null || checkFormat(schemaFile, 'screen', problems),
  ].every(Boolean);
  if (!fine) return null;
  const resolved = schemaFile && resolveSchema(schemaFile, set.shared, problems);
  if (resolved) checkSchema(resolved, set.plugins, shared.facts);
  const take = (own: Ui, language: string): Ui => {
    const drawn = resolved ? abovePresets(own, resolved.references, shared.presets.get(language) ?? new Map()) : own;
    return takeNotices(drawn, shared.notices.get(language) ?? {}, shared.raised.get(id) ?? new Set());
  };
  const ui = take(uiFile.value as unknown as Ui, set.baseLanguage); // its format was just checked
  const uis = new Map([[set.baseLanguage, ui]]);
  for (const language of set.languages.slice(1)) {
    if (!files.translations.has(language) && shared.separate.has(id)) continue;
    const own = translated(uiFile, files.translations.get(language), language, problems) as Ui | null; // ui.json in other words
    if (own) uis.set(language, take(own, language));
  }
  return { id, schema: resolved && resolved.schema, ui, uis };
}

function checkTogether(
  set: FileSet,
  screens: readonly CheckedScreen[],
  flows: readonly ReadFlow[],
  options: DefinitionsOptions,
  problems: Problems,
): void {
  const byId = new Map(screens.map((screen) => [screen.id, { schema: screen.schema, ui: screen.ui }]));
  const paths = checkPaths(flows, options.pages, problems);
  const { access = {}, forms = {}, validated, facts } = options;
  for (const flow of flows)
    checkFlow(
      flow,
      { ...options, access, paths, forms, shared: validated?.facts ?? facts, screens: byId },
      flow.report,
    );
  const reads = (options.reads ?? []).map((read) => ({ ...read, owner: ownerOf(read, screens) }));
  const sent = (options.extra ?? []).flatMap((operation) => [
    ...screensSentBy(
      flows.map(({ flow }) => flow),
      operation,
    ),
  ]);
  const withSent = validated && { ...validated, screens: [...validated.screens, ...sent] };
  for (const screen of screens)
    checkScreen(set, screen, flows, paths, { ...options, ...(withSent && { validated: withSent }), reads }, problems);
}

/** Of the screens that check an operation's body, the one that has a field; where none has, the first. */
function ownerOf({ screens: validators, field }: FieldRead, screens: readonly CheckedScreen[]): string | undefined {
  const has = (id: string) =>
    Object.hasOwn(ownPropertiesOf(screens.find((screen) => screen.id === id)?.schema ?? {}), field);
  return validators.find(has) ?? validators[0];
}

function checkScreen(
  set: FileSet,
  screen: CheckedScreen,
  flows: readonly ReadFlow[],
  paths: ReadonlySet<string>,
  options: Omit<DefinitionsOptions, 'reads'> & { reads: readonly (FieldRead & { owner: string | undefined })[] },
  problems: Problems,
): void {
  const files = set.screens.find(({ id }) => id === screen.id);
  const users = flows.filter(({ flow }) => Object.values(flow.states).some((state) => state.screen === screen.id));
  const schema = screen.schema ?? {};
  if (!files?.ui) return;
  const reportUi = reportOf(files.ui, problems);
  const reportSchema = reportOf(files.schema ?? files.ui, problems);
  const reads = options.reads.filter(({ owner }) => owner === screen.id);
  checkReads(schema, reads, reportSchema);
  if (users.length === 0)
    problems.add(
      files.ui,
      '',
      say`No flow shows the screen "${screen.id}".`,
      say`Give it a state in a flow, or remove the folder.`,
    );
  const [first, ...rest] = users.map(({ flow }) => new Set(Object.keys(flow.context ?? {})));
  const context = new Set([...(first ?? [])].filter((name) => rest.every((names) => names.has(name))));
  const { operations, facts } = options;
  const { plugins } = set;
  const validated = options.validated?.screens.includes(screen.id) ? options.validated.facts : null;
  checkUi(screen.ui, { schema, plugins, operations, facts, validated, context, paths }, reportUi);
  checkComputed(schema, { ui: screen.ui, facts: validated ?? facts, reportSchema, reportUi });
  for (const [language, ui] of screen.uis) {
    const isBase = language === set.baseLanguage;
    const file = isBase ? files.ui : files.translations.get(language);
    if (!file) continue;
    const report = isBase ? reportUi : onceAt(addressIn(files.ui.value), reportOf(file, problems));
    checkPlaceholders(ui, { context, facts }, report);
    if (screen.schema) checkMessages({ schema, plugins, messages: messagesOf(set, language), language }, ui, report);
  }
}
