import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sentences } from '../engine/compiler/localized.ts';
import texts from './definitions/texts.json' with { type: 'json' };
import { excusesFile, untoldIn } from './definitions/untold.ts';
import { unshownFile, unshownIn } from './definitions/unshown.ts';
import { root } from './project.ts';

const { values, positionals } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    lang: { type: 'string', default: 'es' },
  },
  allowPositionals: true,
});
const language = values.lang === 'en' ? 'en' : 'es';
const t = sentences(texts);
const { tried, untold, unused } = await untoldIn(root, positionals);
for (const { screen, field, rule, proposal } of untold) {
  process.stdout.write(`${screen}: ${t('untold', { field, rule })[language]}\n`);
  if (!proposal) continue;
  const file = `tests/fixtures/${screen}/propuesta-${field}-${rule.replace(/\W+/g, '-').replace(/-$/, '')}.json`;
  if (!values.write || existsSync(join(root, file))) continue;
  const { data, context, errors } = proposal;
  const fixture = { note: t('proposed', { field, rule })[language], data, context, errors };
  writeFileSync(join(root, file), `${JSON.stringify(fixture, null, 2)}\n`);
  process.stdout.write(`  ${file}\n`);
}
for (const { screen, field, rule } of unused)
  process.stdout.write(`${excusesFile}: ${t('unexcused', { screen, field, rule })[language]}\n`);
const { all, unshown, unused: shown } = await unshownIn(root, positionals);
for (const { screen, pointer, text } of unshown)
  process.stdout.write(`${screen}: ${t('unshown', { pointer, text })[language]}\n`);
for (const { screen, pointer } of shown)
  process.stdout.write(`${unshownFile}: ${t('unexcusedText', { screen, pointer })[language]}\n`);
process.stdout.write(`${t('told', { told: String(tried - untold.length), tried: String(tried) })[language]}\n`);
process.stdout.write(`${t('shown', { shown: String(all - unshown.length), all: String(all) })[language]}\n`);
process.exitCode = values.strict && untold.length + unused.length + unshown.length + shown.length > 0 ? 1 : 0;
