import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { casesFile, casesIn } from './definitions/cases.ts';
import { excusesFile, untoldIn } from './definitions/untold.ts';
import { unshownFile, unshownIn } from './definitions/unshown.ts';
import { applyEdits } from './dev/studio/json-edit.ts';
import { root } from './project.ts';
import { escapePointer } from '../engine/core/json-pointer.ts';
import type { JsonObject } from '../engine/core/json.ts';
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
  const name = `propuesta-${field}-${rule.replace(/\W+/g, '-').replace(/-$/, '')}`;
  const file = casesFile(screen);
  const text = await readFile(join(root, file), 'utf8');
  if (!values.write || casesIn(text).cases.some((known) => known.name === name)) continue;
  const { data, context, errors } = proposal;
  const note = say`Proposed for ${rule} of "${field}": confirm that the message is the right one.`[language];
  const value = { note, data, context, errors } as JsonObject; // values of a file of JSON
  await writeFile(join(root, file), applyEdits(text, [{ pointer: `/cases/${escapePointer(name)}`, value }]));
  process.stdout.write(`  ${file}: ${name}\n`);
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
