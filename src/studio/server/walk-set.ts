import { DefinitionError, type Problem } from '../../engine/compiler/definitions.ts';
import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { analysisOptions } from '../../server/app/analysis-options.ts';
import { definitionOptions } from '../../server/app/definition-options.ts';
import { root } from '../../cli/project.ts';

// A process of its own: the walk takes seconds of a thread that would answer pages.
process.stdout.write(JSON.stringify(await findings()));

async function findings(): Promise<readonly Problem[]> {
  try {
    return (await loadDefinitions({ ...definitionOptions(root), analysis: analysisOptions(root) })).findings;
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}
