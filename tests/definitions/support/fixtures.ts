import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDocument } from '../../../src/engine/compiler/files/read-set.ts';

export const root = resolve(import.meta.dirname, '../../..');

/** One case of QA: values and facts in, messages by field out. */
export interface Fixture {
  readonly name: string;
  readonly note: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Flags, user, and variables of the flow that texts name. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly errors: Readonly<Record<string, string>>;
}

/** The screens of schemas/. */
export const screens: readonly string[] = readdirSync(join(root, 'schemas')).filter(
  (name) => !name.startsWith('_') && !isDocument(name),
);

/** The folders of fixtures. */
export const withFixtures: readonly string[] = readdirSync(join(root, 'tests/fixtures'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** The fixtures of a screen; none when its folder is missing. */
export function fixturesOf(screen: string): readonly Fixture[] {
  const folder = join(root, 'tests/fixtures', screen);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      ...(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Omit<Fixture, 'name'>), // written by QA in this form; a test checks it
      name: file.replace('.json', ''),
    }));
}
