import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A test whose title names requirements. */
export interface TestTitle {
  /** Path below the project's folder. */
  readonly file: string;
  readonly title: string;
  readonly ids: readonly string[];
}

/** Every title of a test file that carries requirement ids in square brackets. */
export async function testTitles(root: string): Promise<readonly TestTitle[]> {
  const files = (await Promise.all(['tests', 'src', 'plugins'].map((folder) => testFiles(root, folder)))).flat().sort();
  const found = await Promise.all(files.map(async (file) => titlesIn(file, await readFile(join(root, file), 'utf8'))));
  return found.flat();
}

function titlesIn(file: string, source: string): readonly TestTitle[] {
  return [...source.matchAll(/(['"`])((?:\\.|(?!\1).)*?\[([A-Z]+-\d+(?:[ ,]+[A-Z]+-\d+)*)\](?:\\.|(?!\1).)*)\1/g)].map(
    ([, , title = '', ids = '']) => ({ file, title, ids: ids.split(/[ ,]+/) }),
  );
}

async function testFiles(root: string, folder: string): Promise<readonly string[]> {
  const names = await readdir(join(root, folder), { recursive: true }).catch(() => []);
  return names.filter((name) => /\.(test|spec)\.tsx?$/.test(name)).map((name) => `${folder}/${name}`);
}
