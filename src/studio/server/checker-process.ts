import { getThrownProblems, type DefinitionProblem } from '../../engine/compiler/definitions.ts';
import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { DefinitionLoadCache } from '../../engine/compiler/sources/load-cache.ts';
import { createDefinitionLintOptions } from '../../server/app/definition-lint-options.ts';
import { createDefinitionOptions } from '../../server/app/definition-options.ts';
import { projectRoot } from '../../cli/project.ts';

// Shared between runs, so that a run reuses results for identical inputs.
const cache = new DefinitionLoadCache();
const analysis = createDefinitionLintOptions(projectRoot);

// Runs in a separate process, because the checker would block the server's thread for seconds. The process ends with
// its parent.
process.on('message', () => void checkFindings().then((found) => process.send?.(found)));
process.on('disconnect', () => process.exit());

function checkFindings(): Promise<readonly DefinitionProblem[]> {
  const options = { ...createDefinitionOptions(projectRoot), analysis };
  return loadDefinitions(options, cache).then(({ findings }) => findings, getThrownProblems);
}
