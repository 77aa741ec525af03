import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { baseLanguage } from '../contract/portal-config.ts';
import { readDefinitions } from '../engine/compiler/load-definitions.ts';
import { untoldRules, type Case } from '../engine/compiler/mutate/told.ts';
import { sentences } from '../engine/compiler/localized.ts';
import texts from './definitions/texts.json' with { type: 'json' };
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
const { set, screens } = await readDefinitions({ root, baseLanguage });
const sum = { tried: 0, untold: 0 };
for (const screen of screens) {
  if (!screen.schema || (positionals.length > 0 && !positionals.includes(screen.id))) continue;
  const { tried, untold } = await untoldRules(set, screen, casesOf(screen.id));
  sum.tried += tried;
  sum.untold += untold.length;
  for (const { field, rule, proposal } of untold) {
    process.stdout.write(`${screen.id}: ${t('untold', { field, rule })[language]}\n`);
    if (!proposal) continue;
    const file = `tests/fixtures/${screen.id}/propuesta-${field}-${rule.replace(/\W+/g, '-').replace(/-$/, '')}.json`;
    if (!values.write || existsSync(join(root, file))) continue;
    const { data, context, errors } = proposal;
    const fixture = { note: t('proposed', { field, rule })[language], data, context, errors };
    writeFileSync(join(root, file), `${JSON.stringify(fixture, null, 2)}\n`);
    process.stdout.write(`  ${file}\n`);
  }
}
process.stdout.write(`${t('told', { told: String(sum.tried - sum.untold), tried: String(sum.tried) })[language]}\n`);
process.exitCode = values.strict && sum.untold > 0 ? 1 : 0;

function casesOf(screen: string): readonly Case[] {
  const folder = join(root, 'tests/fixtures', screen);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Case); // written by QA in this form; a test checks it
}
