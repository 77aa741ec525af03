import type { Flow } from '../core/definition.ts';
import { checkTogether } from './check-together.ts';
import { compile } from './compile-definitions.ts';
import { DefinitionError, type Definitions, type Problem, type DefinitionSetOptions } from './definitions.ts';
import { type CompilerHost, readFileSet, type FileSet } from './files/read-file-set.ts';
import { lowerFlows } from './flow/lower-flows.ts';
import type { CheckedScreen, CheckedSet } from './ir.ts';
import { lint, findSlowPatterns, readSuppressions, applySuppressions } from './lint/lint.ts';
import { lowerScreens } from './lower-screens.ts';
import { checkCommonTexts } from './shared/texts.ts';
import { readSharedInputs } from './shared/read-shared.ts';
import type { LoadCache } from './sources/load-cache.ts';
import { resolveLanguage } from './sources/say.ts';
import { Problems } from './sources/source-file.ts';

type FrontEndOptions = Pick<
  DefinitionSetOptions,
  'baseLanguage' | 'messages' | 'separatePortal' | 'validated' | 'widgets' | 'defaults'
> &
  Partial<Pick<DefinitionSetOptions, 'facts'>>;

/** Runs the front end: lowers each file and checks it individually. */
async function lowerSet(
  host: CompilerHost,
  options: FrontEndOptions,
  problems: Problems,
  cache: LoadCache,
): Promise<CheckedSet> {
  cache.begin();
  const set = await readFileSet(host, options, problems, cache); //                    files → FileSet
  checkCommonTexts(set, problems); //                                              schemas/_shared/texts
  const flows = lowerFlows(set, options, problems, cache); //                      flows/*.json → LoweredFlow
  const shared = readSharedInputs(set, flows, options, problems, cache); // schemas/_shared → SharedInputs
  const screens = lowerScreens(set, shared, problems, cache); //                   schemas/<screen> → CheckedScreen
  return { set, screens, flows };
}

/**
 * Lowers, checks, explores and lints the definitions of a project, and emits their modules. Throws a `DefinitionError` with all problems of the first
 * pass that has any.
 */
export async function compileSet(
  host: CompilerHost,
  options: DefinitionSetOptions,
  cache: LoadCache,
): Promise<Definitions> {
  const language = resolveLanguage(options.language);
  const problems = new Problems(language);
  const checked = await lowerSet(host, options, problems, cache); //               files → CheckedSet
  if (isComplete(checked)) checkTogether(checked, options, problems, cache); //    flows against screens
  const findings = await lintSet(host, checked, options, problems, cache); //      state-space exploration and rules
  return compile({ ...checked, findings, language, cache, run: host.run }); //     CheckedSet → Definitions
}

/** Definitions whose files have been lowered individually. */
export interface ReadDefinitions {
  readonly set: FileSet;
  readonly screens: readonly CheckedScreen[];
  readonly flows: readonly Flow[];
}

/** Lowers the definitions of a project without reporting their problems. */
export async function lowerWithoutReporting(
  host: CompilerHost,
  options: FrontEndOptions,
  cache: LoadCache,
): Promise<ReadDefinitions> {
  const { flows, ...parts } = await lowerSet(host, options, new Problems(), cache);
  return { ...parts, flows: flows.map(({ flow }) => flow) };
}

// Whether all files could be read and lowered. Otherwise, checks across files would report problems that only result from the missing files.
function isComplete({ set, screens, flows }: CheckedSet): boolean {
  return set.readable && screens.length === set.screens.length && flows.length === set.flows.length;
}

async function lintSet(
  host: CompilerHost,
  checked: CheckedSet,
  { analysis }: DefinitionSetOptions,
  problems: Problems,
  cache: LoadCache,
): Promise<readonly Problem[]> {
  const { language } = problems;
  const suppressions = analysis ? await readSuppressions(host.files, problems) : [];
  if (problems.list.length > 0) throw new DefinitionError(problems.list, !isComplete(checked));
  const findings = analysis
    ? applySuppressions(lint(checked, analysis, { language, cache }), suppressions, language)
    : [];
  if (findings.some(({ severity }) => severity === 'E')) throw new DefinitionError(findings);
  const slow = findSlowPatterns(checked, language, cache);
  if (slow.length > 0) throw new DefinitionError(slow);
  return findings;
}
