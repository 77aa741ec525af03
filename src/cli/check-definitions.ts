import { DefinitionError } from '../engine/compiler/definitions.ts';
import { openDefinitions } from '../engine/compiler/open-definitions.ts';
import { openContent } from '../server/content/open-content.ts';
import { definitionOptions } from '../server/app/definition-options.ts';
import { root } from './project.ts';

try {
  const definitions = await openDefinitions(definitionOptions(root));
  const { screens, flows } = definitions.current;
  process.stdout.write(`${screens.size} screens and ${Object.keys(flows).length} flows are fine.\n`);
  const content = await openContent({ root, definitions });
  const texts = Object.values(content.current);
  const questions = texts.flatMap(({ categories }) => categories.flatMap((category) => category.questions));
  process.stdout.write(
    `${texts.flatMap(({ pages }) => pages).length} pages and ${questions.length} questions in ${texts.length} languages are fine.\n`,
  );
  await definitions.close();
} catch (error) {
  if (!(error instanceof DefinitionError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
