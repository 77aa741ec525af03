import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import commands from '../../src/cli/commands.json' with { type: 'json' };
import { selectDecisionRecords, readMarkdownDocuments } from '../../src/cli/testing/decision-records.ts';
import { rateLimits } from '../../src/server/app/server-modules.ts';
import type { AttemptAllowance } from '../../src/server/platform/modules/attempt-limits.ts';
import { mailAllowances } from '../../src/server/trust/abuse/mail-allowance.ts';
import { settingNames } from '../../src/server/platform/config/read-environment.ts';
import { identityProvidersSchema } from '../../src/server/platform/config/identity-providers.ts';
import { renderSettingsTable } from '../../src/server/platform/config/settings.ts';
import { clientRegistrationSchema } from '../../src/server/trust/federation/clients/client-registration.ts';
import { serviceProviderRegistrationSchema } from '../../src/server/trust/federation/saml/service-provider-registration.ts';
import { listFiles, root } from './source-texts.ts';

const documents = await readMarkdownDocuments(root);
const readText = (path: string): string => readFileSync(join(root, path), 'utf8');
const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };

/** Modules with constants and error codes that documents may mention. */
const constants = ['constants', 'error-codes', 'feature-flags']
  .map((name) => readText(`src/contract/${name}.ts`))
  .join('\n');

/** Environment variables of tools, and placeholders: names that no setting defines. */
const otherNames = new Set(['NODE_ENV', 'NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED', 'WHOLE_RUN']);

/** Names of libraries that documents mention and our code does not use. */
const libraryNames =
  'UserAttributeSimilarityValidator customValidate extraErrors givenName jsPlugins launchOptions liveValidate makeStyles noHtml5Validate showErrorList transformErrors';

/** All words of the code and the definitions, and `libraryNames`. */
const identifiers = new Set(
  ['src', 'plugins', 'tests', 'schemas', 'flows']
    .flatMap((folder) => listFiles(folder, /\.(tsx?|m?js|json)$/))
    .concat('package.json', 'tsconfig.json', '.dependency-cruiser.cjs')
    .map(readText)
    .concat(libraryNames)
    .flatMap((text) => text.match(/[A-Za-z]\w*/g) ?? []),
);

test('[CFG-04] server README lists every setting as the server declares it', () => {
  expect(readText('src/server/README.md')).toContain(`\n\n${renderSettingsTable().trim()}\n\n`);
});

test.each([
  { file: 'CLIENTS_FILE', schema: clientRegistrationSchema, beside: ['secret'], needed: [] },
  { file: 'SAML_FILE', schema: serviceProviderRegistrationSchema, beside: ['metadata'], needed: ['metadata'] },
  { file: 'IDPS_FILE', schema: identityProvidersSchema.items, beside: [], needed: [] },
])(
  '[CFG-04] server README lists every key of $file and marks exactly the required ones',
  ({ file, schema, beside, needed }) => {
    const table = readText('src/server/README.md').split(`| key of ${file} |`)[1]?.split('\n\n', 1)[0] ?? '';
    const rows = [...table.matchAll(/^\| `(\w+)` \| (required)? ?\|/gm)];
    expect(rows.map(([, key]) => key).sort()).toEqual([...Object.keys(schema.properties), ...beside].sort());
    const required = rows.flatMap(([, key = '', word]) => (word === undefined ? [] : key));
    expect(required.sort()).toEqual([...schema.required, ...needed].sort());
  },
);

test('[ASVS-14.1.1] data-protection.md assigns exactly one protection class to every table with personal data', () => {
  const [, personal = ''] = readText('src/server/data.md').split('## Personal data');
  const tables = [...(personal.split('\n## ', 1)[0] ?? '').matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  const [, classes = ''] = readText('src/server/security/data-protection.md').split('## Classes');
  const classified = [...(classes.split('\n## ', 1)[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(tables.length).toBeGreaterThan(40);
  expect(classified.sort()).toEqual(tables.sort());
});

test('[ASVS-2.1.3] limits.md lists every rate limit and mail allowance of the code', async () => {
  const minutes = (seconds: number): string => `${(seconds / 60).toLocaleString('en')} min`;
  const tables: Readonly<Record<string, readonly string[]>> = {
    '| limit | counted by | free | within |': Object.values(rateLimits).flatMap(({ name, kinds }) =>
      Object.entries<AttemptAllowance>(kinds).map(
        ([kind, { free, windowS }]) => `| ${name} | ${kind} | ${free.toLocaleString('en')} | ${minutes(windowS)} |`,
      ),
    ),
    '| cause | at once | then one each |': Object.entries(mailAllowances).map(
      ([cause, { burst, everyS }]) => `| ${cause} | ${burst} | ${minutes(everyS)} |`,
    ),
  };
  const path = 'src/server/security/limits.md';
  const page = Object.entries(tables).reduce((text, [head, rows]) => {
    const [before = '', after = ''] = text.split(`${head}\n`);
    const [rule = ''] = after.split('\n', 1);
    return [before + head, rule, ...rows, after.slice(after.indexOf('\n\n') + 1)].join('\n');
  }, readText(path));
  await expect(page).toMatchFileSnapshot(join(root, path));
});

test('top-level README has at most 1,500 words', () => {
  expect(countWords(readText('README.md'))).toBeLessThanOrEqual(1_500);
});

describe.each(documents)('$path', ({ path, text }) => {
  test('names only npm scripts that package.json defines', () => {
    const named = [...text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('names only portal commands that exist', () => {
    const named = [...text.matchAll(/(?:npx |`)portal ([a-z]+)(?: ([a-z]+))?/g)];
    const isPrefix = (word: string) => Object.keys(commands).some((name) => name.startsWith(`${word} `));
    const unknown = named.filter(
      ([, one = '', two = '']) =>
        !(`${one} ${two}` in commands) &&
        !(one in commands && (two === '' || !isPrefix(one) || path === 'CHANGELOG.md')), // the changelog also names removed commands
    );
    expect(unknown.map(([found]) => found)).toEqual([]);
  });

  test('links only to files that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([]);
  });

  test('names only files that exist', () => {
    const named = [...text.matchAll(/`((?:src|tests|schemas|flows|plugins)\/[\w./-]+)`/g)].map(([, name = '']) => name);
    const shown = new Set([...text.matchAll(/^`([\w./-]+)`$/gm)].map(([, name = '']) => name)); // names of the files that the document shows as examples
    const made = [...text.matchAll(/npm run new:(?:screen|plugin) ([a-z][\w-]*)/g)].map(([, name = '']) => name);
    const isExample = (name: string) => shown.has(name) || made.some((part) => name.includes(part));
    expect(named.filter((name) => !existsSync(join(root, name)) && !isExample(name))).toEqual([]);
  });

  test('names only functions, types and properties that exist', () => {
    const compound = text.matchAll(/`([a-z]+[A-Z]\w*|[A-Z][a-z]\w*)[`(<]/g);
    const called = text.matchAll(/`([a-z]+)\(/g);
    const named = [...compound, ...called].map(([, name = '']) => name);
    expect([...new Set(named)].filter((name) => !identifiers.has(name))).toEqual([]);
  });

  test('names only settings that the server declares', () => {
    const named = [...text.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g)].map(([, name = '']) => name);
    expect(
      named.filter((name) => !settingNames.has(name) && !otherNames.has(name) && !constants.includes(name)),
    ).toEqual([]);
  });
});

describe.each(selectDecisionRecords(documents))('decision record $path', ({ path, text }) => {
  test('has a dated file name, a title, a decision and at most 300 words', () => {
    expect(path).toMatch(/\/decisions\/\d{4}-\d\d-\d\d-[a-z0-9-]+\.md$/);
    expect(text).toMatch(/^# .+\n/);
    expect(text).toMatch(/^(?:## Decision|\*\*Decision)/m);
    expect(countWords(text)).toBeLessThanOrEqual(300);
  });
});
