import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPrint, say, languageOption, readLanguage } from './language.ts';
import { escapePointer } from '../../engine/core/json-pointer.ts';
import { action } from '../command.ts';
import { root } from '../project.ts';
import { runTool } from '../testing/run-step.ts';
import { bin } from '../testing/tools.ts';
import { failingCases, formatFailure, type FailingCase } from './failing-cases.ts';
import { applyEdits } from './json-edit.ts';

const drawnByScreen = 'tests/definitions/fixtures.test.tsx';
const drawnBeside = 'tests/engine/list-view.test.tsx';

export const command = action(languageOption, async ({ words: screens, options, terminal }) => {
  const language = readLanguage(options.lang);
  const print = createPrint(terminal, language);
  const failing = await failingCases(root, screens);
  for (const one of failing) {
    for (const line of formatFailure(one, language)) print(line);
    await write(one);
  }
  print(say`Cases that take over what the rules say: ${failing.length}.`);
  const files =
    screens.length > 0 ? [drawnByScreen, '-t', `\\] (${screens.join('|')}) `] : [drawnByScreen, drawnBeside];
  const exitCode = await runTool([bin('vitest'), 'run', '--reporter=default', ...files, '--update'], root);
  print(say`Look at the changes of tests/fixtures before you hand them in.`);
  return exitCode;
});

async function write({ file, name, errors }: FailingCase): Promise<void> {
  const path = join(root, file);
  const value = Object.keys(errors).length > 0 ? errors : undefined;
  const edits = [{ pointer: `/cases/${escapePointer(name)}/errors`, ...(value && { value }) }];
  await writeFile(path, applyEdits(await readFile(path, 'utf8'), edits));
}
