import { DefinitionError, type Problem } from '../../engine/compiler/definitions.ts';
import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { LoadCache } from '../../engine/compiler/sources/load-cache.ts';
import { analysisOptions } from '../../server/app/analysis-options.ts';
import { definitionOptions } from '../../server/app/definition-options.ts';
import { root } from '../../cli/project.ts';

// Once: a load takes from the cache what has the same inputs, and compares them by identity.
const cache = new LoadCache();
const analysis = analysisOptions(root);

// A process of its own: the walk takes seconds of a thread that would answer pages. It ends with the process that asks.
process.on(
  'message',
  (texts) => void findings(texts as [string, string | null][]).then((found) => process.send?.(found)),
);
process.on('disconnect', () => process.exit());

async function findings(texts: [string, string | null][]): Promise<readonly Problem[]> {
  const options = { ...definitionOptions(root), analysis, texts: new Map(texts) };
  try {
    return (await loadDefinitions(options, cache)).findings;
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}
