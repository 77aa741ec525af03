import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../src/cli/project.ts';
import type { PluginIndex } from '../../src/engine/compiler/files/index-plugins.ts';
import { readPlugins } from '../../src/engine/compiler/files/read-plugins.ts';
import { ProblemCollector } from '../../src/engine/compiler/sources/problem-collector.ts';
import { readSourceFile } from '../../src/engine/compiler/sources/read-source.ts';
import { asObject } from '../../src/engine/core/json.ts';

const root = join(projectRoot, 'plugins');
const names = readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

let plugins: PluginIndex;
beforeAll(async () => {
  const problems = new ProblemCollector();
  plugins = await readPlugins(projectRoot, (path) => readSourceFile(projectRoot, path, problems), problems);
});

test.each(names)('[PLUG-02] plugins/%s has a README.md that names its options, and a test', (name) => {
  const files = readdirSync(join(root, name));
  expect(files, `plugins/${name} has no README.md`).toContain('README.md');
  expect(files.join(' '), `plugins/${name} has no test`).toMatch(/\.test\.tsx?\b/);
  const text = readFileSync(join(root, name, 'README.md'), 'utf8');
  const options = Object.keys(asObject(plugins.byName.get(name)?.widgetOptions?.properties));
  const missing = options.filter((option) => !text.includes(`\`${option}\``));
  expect(missing, `plugins/${name}/README.md does not name these options in backticks`).toEqual([]);
});
