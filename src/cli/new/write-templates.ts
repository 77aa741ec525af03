import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandError, UsageError } from '../command.ts';

/**
 * Creates files from templates, with `{{name}}` and `{{keyword}}` filled in, and returns their paths. Throws a CommandError, and writes nothing, if
 * one of them exists. `files` maps templates in src/cli/new/templates to paths in the project.
 */
export async function writeTemplates(
  root: string,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const taken = Object.values(files).find((path) => existsSync(join(root, path)));
  if (taken !== undefined) throw new CommandError(`${taken} exists. Choose another name.`);
  for (const [template, path] of Object.entries(files)) {
    const text = await readFile(join(import.meta.dirname, 'templates', `${template}.template`), 'utf8');
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), fill(text, name));
  }
  return Object.values(files);
}

/** Reads the name argument. Throws a UsageError if it is not an ASCII kebab-case word. */
export function readName([name = '', ...more]: readonly string[]): string {
  if (more.length === 0 && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) return name;
  throw new UsageError('Which name? One word in lower case, its parts joined by hyphens.');
}

function fill(text: string, name: string): string {
  const keyword = name.replace(/-([a-z0-9])/g, (_whole, letter: string) => letter.toUpperCase());
  return text.replaceAll('{{name}}', name).replaceAll('{{keyword}}', keyword);
}
