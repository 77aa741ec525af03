import { parseArgs } from 'node:util';
import { listOf } from './definitions/changes-report.ts';
import { changesSince } from './definitions/changes-since.ts';
import { root } from './project.ts';

const { values, positionals } = parseArgs({
  options: { lang: { type: 'string', default: 'es' } },
  allowPositionals: true,
});
const [commit = 'HEAD'] = positionals;
const changes = await changesSince(root, commit);
if (!changes) {
  process.stderr.write(`There is no commit "${commit}" with definitions.\n`);
  process.exitCode = 2;
} else {
  process.stdout.write(listOf(changes, values.lang === 'en' ? 'en' : 'es'));
  process.exitCode = changes.some(({ breaking }) => breaking) ? 1 : 0;
}
