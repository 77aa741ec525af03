import { parseArgs } from 'node:util';
import { baseLanguage } from '../contract/portal-config.ts';
import { compareDefinitions } from '../engine/compiler/compare/compare.ts';
import { readDefinitions } from '../engine/compiler/load-definitions.ts';
import { listOf } from './definitions/changes-report.ts';
import { extractVersion } from './definitions/extract-version.ts';
import { accessWords, callDefaults } from '../server/app/definition-options.ts';
import { root } from './project.ts';

const { values, positionals } = parseArgs({
  options: { lang: { type: 'string', default: 'es' } },
  allowPositionals: true,
});
const [commit = 'HEAD'] = positionals;
const version = extractVersion(root, commit);
if (!version) {
  process.stderr.write(`There is no commit "${commit}" with definitions.\n`);
  process.exitCode = 2;
} else {
  const before = await readDefinitions({ root: version.folder, baseLanguage, defaults: callDefaults }).finally(
    version.remove,
  );
  const changes = compareDefinitions(
    before,
    await readDefinitions({ root, baseLanguage, defaults: callDefaults }),
    accessWords,
  );
  process.stdout.write(listOf(changes, values.lang === 'en' ? 'en' : 'es'));
  process.exitCode = changes.some(({ breaking }) => breaking) ? 1 : 0;
}
