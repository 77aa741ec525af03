import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { excusesFile, untoldIn } from './definitions/untold.ts';
import { unshownFile, unshownIn } from './definitions/unshown.ts';
import { root } from './project.ts';
import { say } from '../engine/compiler/sources/say.ts';

const { values, positionals } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    lang: { type: 'string', default: 'es' },
  },
  allowPositionals: true,
});
const language = values.lang === 'en' ? 'en' : 'es';
const { tried, untold, unused } = await untoldIn(root, positionals);
for (const { screen, field, rule, proposal } of untold) {
  process.stdout.write(`${screen}: ${say`no fixture tells ${rule} of "${field}".`[language]}\n`);
  if (!proposal) continue;
  const file = `tests/fixtures/${screen}/propuesta-${field}-${rule.replace(/\W+/g, '-').replace(/-$/, '')}.json`;
  if (!values.write || existsSync(join(root, file))) continue;
  const { data, context, errors } = proposal;
  const fixture = {
    note: say`Proposed for ${rule} of "${field}": confirm that the message is the right one.`[language],
    data,
    context,
    errors,
  };
  writeFileSync(join(root, file), `${JSON.stringify(fixture, null, 2)}\n`);
  process.stdout.write(`  ${file}\n`);
}
for (const { screen, field, rule } of unused)
  process.stdout.write(
    `${excusesFile}: ${say`the fixtures tell ${rule} of "${field}" in ${screen} now: remove that entry.`[language]}\n`,
  );
const { all, unshown, unused: shown } = await unshownIn(root, positionals);
for (const { screen, pointer, text } of unshown)
  process.stdout.write(`${screen}: ${say`no snapshot shows "${text}" (${pointer}).`[language]}\n`);
for (const { screen, pointer } of shown)
  process.stdout.write(`${unshownFile}: ${say`${pointer} of ${screen} is shown now: remove that entry.`[language]}\n`);
process.stdout.write(`${say`The fixtures tell ${tried - untold.length} of ${tried} changes of rules.`[language]}\n`);
process.stdout.write(`${say`Snapshots and fixtures show ${all - unshown.length} of ${all} texts.`[language]}\n`);
process.exitCode = values.strict && untold.length + unused.length + unshown.length + shown.length > 0 ? 1 : 0;
