import type { Flow } from '../core/flow-and-screen-types.ts';
import { checkFlowsAgainstScreens } from './check-flows-against-screens.ts';
import { emitServedDefinitions } from './compile-definitions.ts';
import { omitConsequentialProblems } from './omit-consequential-problems.ts';
import {
  DefinitionError,
  type ServedDefinitions,
  type DefinitionProblem,
  type CompileProjectOptions,
} from './definitions.ts';
import { type CompilerHost, readDefinitionFiles } from './files/read-definition-files.ts';
import { lowerFlows } from './flow/lower-flows.ts';
import type { CheckedDefinitions } from './intermediate-representation.ts';
import { lintDefinitions, findSlowPatterns } from './lint/lint-definitions.ts';
import { readLintSuppressions, applyLintSuppressions } from './lint/suppressions.ts';
import { lowerScreens } from './lower-screens.ts';
import { checkCommonTexts } from './shared/common-texts.ts';
import { readSharedScreenInputs } from './shared/read-shared-definitions.ts';
import type { DefinitionLoadCache } from './sources/load-cache.ts';
import { resolveLanguage } from './sources/localized-text.ts';
import { ProblemCollector } from './sources/problem-collector.ts';

type FrontEndOptions = Pick<
  CompileProjectOptions,
  'baseLanguage' | 'messages' | 'separatePortal' | 'validated' | 'widgets' | 'defaults'
> &
  Partial<Pick<CompileProjectOptions, 'facts' | 'reads'>>;

async function lowerDefinitions(
  host: CompilerHost,
  options: FrontEndOptions,
  problems: ProblemCollector,
  cache: DefinitionLoadCache,
): Promise<CheckedDefinitions> {
  cache.startLoad();
  const set = await readDefinitionFiles(host, options, problems, cache);
  checkCommonTexts(set, problems);
  const flows = lowerFlows(set, options, problems, cache);
  const shared = readSharedScreenInputs(set, flows, options, problems, cache);
  const screens = lowerScreens(set, shared, problems, cache);
  return { set, screens, flows };
}

/**
 * Runs the passes in the order of this table. Throws a `DefinitionError` with all problems of the first pass that has any.
 *
 * | pass                        | input                  | result                           |
 * | --------------------------- | ---------------------- | -------------------------------- |
 * | `readDefinitionFiles`       | files                  | `DefinitionFiles`                |
 * | `checkCommonTexts`          | schemas/_shared/texts  | problems                         |
 * | `lowerFlows`                | flows/*.json           | `LoweredFlow`                    |
 * | `readSharedScreenInputs`    | schemas/_shared        | `SharedScreenInputs`             |
 * | `lowerScreens`              | schemas/<screen>       | `CheckedScreen`                  |
 * | `checkFlowsAgainstScreens`  | flows and screens      | problems                         |
 * | `lintDefinitions`           | `CheckedDefinitions`   | findings of rules, state space   |
 * | `emitServedDefinitions`     | `CheckedDefinitions`   | `ServedDefinitions`              |
 */
export async function compileProject(
  host: CompilerHost,
  options: CompileProjectOptions,
  cache: DefinitionLoadCache,
): Promise<ServedDefinitions> {
  const language = resolveLanguage(options.language);
  const problems = new ProblemCollector(language);
  const checked = await lowerDefinitions(host, options, problems, cache);
  if (isComplete(checked)) checkFlowsAgainstScreens(checked, options, problems, cache);
  const findings = await lintSet(host, checked, options, problems, cache);
  return emitServedDefinitions({ ...checked, findings, language, cache, run: host.importScreenModule });
}

export type LoweredDefinitions = Omit<CheckedDefinitions, 'flows'> & { readonly flows: readonly Flow[] };

export async function lowerUncheckedDefinitions(
  host: CompilerHost,
  options: FrontEndOptions,
  cache: DefinitionLoadCache,
): Promise<LoweredDefinitions> {
  const { flows, ...parts } = await lowerDefinitions(host, { ...options, reads: [] }, new ProblemCollector(), cache);
  return { ...parts, flows: flows.map(({ flow }) => flow) };
}

// Whether all files could be read and lowered. If not, checks across files are skipped: they would report problems that only result from missing
// files.
function isComplete({ set, screens, flows }: CheckedDefinitions): boolean {
  return set.isReadable && screens.length === set.screens.length && flows.length === set.flows.length;
}

async function lintSet(
  host: CompilerHost,
  checked: CheckedDefinitions,
  { analysis }: CompileProjectOptions,
  problems: ProblemCollector,
  cache: DefinitionLoadCache,
): Promise<readonly DefinitionProblem[]> {
  const { language } = problems;
  const suppressions = analysis ? await readLintSuppressions(host.files, problems) : [];
  if (problems.list.length > 0)
    throw new DefinitionError(omitConsequentialProblems(problems.list, language), !isComplete(checked));
  const findings = analysis
    ? omitConsequentialProblems(
        applyLintSuppressions(lintDefinitions(checked, analysis, { language, cache }), suppressions, language),
        language,
      )
    : [];
  if (findings.some(({ severity }) => severity === 'E')) throw new DefinitionError(findings);
  const slow = findSlowPatterns(checked, language, cache);
  if (slow.length > 0) throw new DefinitionError(slow);
  return findings;
}
