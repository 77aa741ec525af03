import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { flagDefaults } from '../../src/contract/flags.ts';

/** Flags of the specification that nothing reads yet: whoever reads one takes it off this list. */
const waiting: readonly string[] = [];

test('[CFG-01] every flag is read somewhere, but those whose screens are still to come', async () => {
  const files = (
    await Promise.all(
      ['src', 'flows', 'schemas', 'plugins'].map(async (folder) =>
        (await readdir(folder, { recursive: true }))
          .filter((file) => /\.(tsx?|json)$/.test(file))
          .map((file) => `${folder}/${file}`),
      ),
    )
  ).flat();
  const sources = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
  const unread = Object.keys(flagDefaults).filter((flag) => !new RegExp(`\\bflags\\.${flag}\\b`).test(sources));
  expect(unread.sort()).toEqual(waiting);
});
