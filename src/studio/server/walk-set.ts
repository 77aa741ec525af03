import { DefinitionError, type Problem } from '../../engine/compiler/definitions.ts';
import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { LoadCache } from '../../engine/compiler/sources/load-cache.ts';
import { analysisOptions } from '../../server/app/lint-options.ts';
import { definitionOptions } from '../../server/app/definition-options.ts';
import { root } from '../../cli/project.ts';

// Once: a load takes from the cache what has the same inputs, and compares them by identity.
const cache = new LoadCache();
const analysis = analysisOptions(root);

// A process of its own: the walk takes seconds of a thread that would answer pages. It ends with the process that asks.
process.on('message', () => void findings().then((found) => process.send?.(found)));
process.on('disconnect', () => process.exit());

async function findings(): Promise<readonly Problem[]> {
  try {
    return (await loadDefinitions({ ...definitionOptions(root), analysis }, cache)).findings;
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}
