import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes files from templates, `{{name}}` and `{{keyword}}` filled in. Where one of them exists it writes none, says so and ends the process.
 * `files`: template below src/cli/templates to path below the project's folder.
 */
export async function writeTemplates(
  root: string,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const taken = Object.values(files).find((path) => existsSync(join(root, path)));
  if (taken !== undefined) {
    process.stderr.write(`${taken} exists. Choose another name.\n`);
    process.exit(1);
  }
  for (const [template, path] of Object.entries(files)) {
    const text = await readFile(join(root, 'src/cli/templates', `${template}.template`), 'utf8');
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), fill(text, name));
    process.stdout.write(`${path}\n`);
  }
}

/** The name given to a command; ends the process with a hint when it is no ASCII kebab-case word. */
export function nameArgument(usage: string): string {
  const name = process.argv[2] ?? '';
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) return name;
  process.stderr.write(`Usage: ${usage}  (NAME in lower case, words joined by hyphens)\n`);
  return process.exit(1);
}

function fill(text: string, name: string): string {
  const keyword = name.replace(/-([a-z0-9])/g, (_whole, letter: string) => letter.toUpperCase());
  return text.replaceAll('{{name}}', name).replaceAll('{{keyword}}', keyword);
}
