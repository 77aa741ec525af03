import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StoredCacheResults } from '../../engine/compiler/sources/load-cache.ts';
import { createCommandSource, hashCachedModule } from '../load.mjs';
import { projectRoot } from '../project.ts';

const file = join(projectRoot, 'node_modules/.cache/check/results.json');

/** Hash of the checker and the plugins. Empty if the cache does not contain the compiled checker. */
function hashChecker(): string {
  const program = hashCachedModule(...createCommandSource('definitions/check.ts'));
  if (program === '') return '';
  const hash = createHash('sha256').update(program);
  for (const entry of readdirSync(join(projectRoot, 'plugins'), { withFileTypes: true, recursive: true }))
    if (entry.isFile()) hash.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)));
  return hash.digest('hex');
}

/** Opens the results that the same version of the checker and plugins has stored. `save` stores the results for the next run. */
export function openCheckResultCache(): { readonly results: StoredCacheResults; readonly save: () => void } {
  const program = hashChecker();
  const storedResults: StoredCacheResults = new Map(readEntries(program));
  const save = () => {
    if (program === '') return;
    mkdirSync(dirname(file), { recursive: true });
    const temporaryFile = `${file}.${process.pid}`;
    writeFileSync(temporaryFile, JSON.stringify({ program, results: [...storedResults] }));
    renameSync(temporaryFile, file);
  };
  return { results: storedResults, save };
}

function readEntries(program: string): Iterable<[string, { inputs: string; value: unknown }]> {
  try {
    const known = JSON.parse(readFileSync(file, 'utf8')) as { program: string; results: [] }; // the cast is safe, because `save` has written the file in this format
    return known.program === program ? known.results : [];
  } catch {
    return []; // without results, because the file does not exist yet or is damaged
  }
}
