import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createCliAction, CommandError, UsageError, type CliAction } from '../command.ts';
import { projectRoot } from '../project.ts';

/**
 * Writes files from templates, with `{{name}}` and `{{keyword}}` replaced. Throws a CommandError, without writing, if one
 * of the files exists. `kinds` maps templates in src/cli/new/templates to paths in the project. The first kind is the
 * default.
 */
export function createScaffoldCommand(kinds: Readonly<Record<string, Readonly<Record<string, string>>>>): CliAction {
  const [usual = ''] = Object.keys(kinds);
  const options = { kind: { type: 'string', default: usual } } as const;
  return createCliAction(options, async ({ options: { kind }, positionals: [name = '', ...more], terminal }) => {
    const files = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (!files) throw new UsageError(`There is no kind ${kind}. Choose one of ${Object.keys(kinds).join(', ')}.`);
    if (more.length > 0 || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
      throw new UsageError('Missing or invalid argument: NAME, in lower case with hyphens, e.g. my-name.');
    const keyword = name.replace(/-([a-z0-9])/g, (_whole, letter: string) => letter.toUpperCase());
    const fill = (text: string) => text.replaceAll('{{name}}', name).replaceAll('{{keyword}}', keyword);
    const existingPath = Object.values(files)
      .map(fill)
      .find((path) => existsSync(join(projectRoot, path)));
    if (existingPath !== undefined) throw new CommandError(`${existingPath} exists. Choose another name.`);
    for (const [template, path] of Object.entries(files)) {
      const text = await readFile(join(import.meta.dirname, 'templates', `${template}.template`), 'utf8');
      await mkdir(dirname(join(projectRoot, fill(path))), { recursive: true });
      await writeFile(join(projectRoot, fill(path)), fill(text));
      terminal.out(`${fill(path)}\n`);
    }
  });
}
