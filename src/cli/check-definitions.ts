import { DefinitionError } from '../engine/compiler/definitions.ts';
import { openDefinitions } from '../engine/compiler/open-definitions.ts';
import { definitionOptions } from '../server/definition-options.ts';
import { root } from './project.ts';

try {
  const definitions = await openDefinitions(definitionOptions(root));
  const { screens, flows } = definitions.current;
  process.stdout.write(`${screens.size} screens and ${Object.keys(flows).length} flows are fine.\n`);
  await definitions.close();
} catch (error) {
  if (!(error instanceof DefinitionError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
