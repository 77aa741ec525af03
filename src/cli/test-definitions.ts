import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { casesFile, casesIn } from './definitions/cases.ts';
import { uncoveredRulesFile, ruleCoverage } from './definitions/rule-coverage.ts';
import { uncoveredTextsFile, textCoverage } from './definitions/text-coverage.ts';
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
const rules = await ruleCoverage(root, positionals);
for (const { screen, field, rule, proposal } of rules.uncovered) {
  process.stdout.write(`${screen}: ${say`no fixture covers ${rule} of "${field}".`[language]}\n`);
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
for (const { screen, field, rule } of rules.unused)
  process.stdout.write(
    `${uncoveredRulesFile}: ${say`the fixtures cover ${rule} of "${field}" in ${screen} now: remove that entry.`[language]}\n`,
  );
const texts = await textCoverage(root, positionals);
for (const { screen, pointer, text } of texts.uncovered)
  process.stdout.write(`${screen}: ${say`no snapshot shows "${text}" (${pointer}).`[language]}\n`);
for (const { screen, pointer } of texts.unused)
  process.stdout.write(
    `${uncoveredTextsFile}: ${say`${pointer} of ${screen} is shown now: remove that entry.`[language]}\n`,
  );
process.stdout.write(
  `${say`The fixtures cover ${rules.tried - rules.uncovered.length} of ${rules.tried} changes of rules.`[language]}\n`,
);
process.stdout.write(
  `${say`Snapshots and fixtures show ${texts.all - texts.uncovered.length} of ${texts.all} texts.`[language]}\n`,
);
const found = [rules.uncovered, rules.unused, texts.uncovered, texts.unused].flat();
process.exitCode = values.strict && found.length > 0 ? 1 : 0;
