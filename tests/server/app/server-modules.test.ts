import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  rateLimits,
  serverModules,
  mailTemplates,
  textCatalogue,
  lookUpText,
  databaseTableDescriptions,
} from '../../../src/server/app/server-modules.ts';
import { operationNames } from '../../../src/contract/contract.ts';
import { languages } from '../../../src/contract/portal-config.ts';
import { createServerJobs } from '../../../src/server/app/create-server-services.ts';
import { loadMailTemplates } from '../../../src/server/platform/mail/load-mail-templates.ts';
import type { MailTemplate } from '../../../src/server/platform/modules/mail-templates.ts';
import type { TableDescription } from '../../../src/server/platform/modules/table-descriptions.ts';
import type { ServerModule } from '../../../src/server/platform/modules/server-module.ts';
import { listFiles, readJson, root } from '../../architecture/source-texts.ts';
import { defaultDatabase } from '../support/databases.ts';
import { openTestServer } from '../support/test-server.ts';
import { openTestStore } from '../support/test-store.ts';

const listed: readonly ServerModule[] = Object.values(serverModules);

test('list of modules contains every module of the server', () => {
  const list = readFileSync(join(root, 'src/server/app/server-modules.ts'), 'utf8');
  const files = listFiles('src/server', /\/index[.]ts$/);
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((file) => !list.includes(`'${file.replace('src/server', '..')}'`))).toEqual([]);
});

test('every texts.json of the server belongs to one module', () => {
  const owned = new Set(listed.flatMap((module) => (module.texts === undefined ? [] : [JSON.stringify(module.texts)])));
  const files = listFiles('src/server', /\/texts[.]json$/);
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((file) => !owned.has(JSON.stringify(readJson(file))))).toEqual([]);
  const sentences = listed.reduce((count, module) => count + Object.keys(module.texts?.es ?? {}).length, 0);
  expect(Object.keys(textCatalogue.es)).toHaveLength(sentences);
});

test('texts returns the text of a module, and a general error for an unknown code', () => {
  expect(lookUpText('llamada_tomada', 'es', { agente: 'Ana' })).toContain('Ana');
  expect(lookUpText('no_such_code', 'pt')).toBe(textCatalogue.pt['error_interno']);
});

test('every limit of a module belongs to exactly one module', async () => {
  const files = listFiles('src/server', /\/(limits|index)[.]ts$/);
  const modules = await Promise.all(
    files.map(
      async (file) =>
        (await import(/* @vite-ignore */ join(root, file))) as {
          readonly limits?: object;
          readonly serverModule?: ServerModule;
        },
    ),
  );
  const declared = modules.flatMap(({ limits: own, serverModule }) => Object.keys(own ?? serverModule?.limits ?? {}));
  const ofModules = listed.flatMap((module) => Object.keys(module.limits ?? {}));
  expect(ofModules.length).toBeGreaterThan(20);
  expect(declared.filter((name) => !ofModules.includes(name))).toEqual([]);
  expect(new Set(ofModules).size, 'no limit belongs to two modules').toBe(ofModules.length);
  expect(Object.keys(rateLimits).sort()).toEqual(ofModules.sort());
});

test('every operation has the handler of exactly one module', () => {
  const ofModules = listed.flatMap((module) => Object.keys(module.handlers?.() ?? {}));
  expect(ofModules.sort()).toEqual([...operationNames].sort());
});

test('[OPER-12] every table of the migrated database is declared by one module, with existing columns', async () => {
  const on = await openTestStore(defaultDatabase);
  const found = await sql<{ name: string; columns: readonly string[] }>`
    select table_name as name, json_agg(column_name) as columns
    from information_schema.columns where table_schema = current_schema() group by table_name`.execute(on.store.db);
  await on.close();
  const own = found.rows.map(({ name }) => name).filter((name) => !name.startsWith('kysely_'));
  const columnsOf = new Map(found.rows.map(({ name, columns }) => [name, columns]));
  expect(own.length).toBeGreaterThan(40);
  expect(own.sort()).toEqual(Object.keys(databaseTableDescriptions).sort());
  expect(Object.keys(databaseTableDescriptions)).toHaveLength(
    listed.flatMap((module) => Object.keys(module.tables ?? {})).length,
  );
  const named = Object.entries<TableDescription>(databaseTableDescriptions).flatMap(
    ([name, { encrypted = {}, copies = {}, hashed = [], retention }]) =>
      [
        ...Object.keys(encrypted),
        ...Object.keys(copies),
        ...hashed,
        ...(typeof retention === 'string' ? [] : [retention.column]),
      ].map((column) => [name, column] as const),
  );
  expect(named.filter(([name, column]) => columnsOf.get(name)?.includes(column) !== true)).toEqual([]);
});

test('every mail file belongs to one module and exists in every language', () => {
  const own = listed.flatMap((module) => Object.entries<MailTemplate>(module.mails ?? {}));
  expect(own.filter(([key, { name }]) => key !== name)).toEqual([]);
  const expected = own.flatMap(([, { file }]) =>
    languages.map((language) => relative(root, fileURLToPath(file(language)))),
  );
  const files = listFiles('src/server', /[.](es|pt)[.]txt$/);
  expect(files.length).toBeGreaterThan(50);
  expect(expected.sort()).toEqual([...files].sort());
  expect(Object.keys(mailTemplates)).toHaveLength(own.length);
});

test('render reports a mail that no module lists', async () => {
  const templates = await loadMailTemplates({}, '');
  expect(() =>
    templates.renderTemplate('stray' as 'code', 'es', { product: '', name: '', code: '', expires: '' }),
  ).toThrow('The mail stray was not read.');
});

test('createServerJobs returns the jobs of the modules and of the platform, with unique names', async () => {
  const server = await openTestServer();
  const names = createServerJobs(server.parts).map(({ name }) => name);
  await server.close();
  const own = ['watch video calls', 'tell applications of ended sessions', 'refresh the metadata of service providers'];
  expect(names).toEqual(expect.arrayContaining([...own, 'purge', 'compare clocks', 'seal the audit log']));
  expect(new Set(names).size).toBe(names.length);
});
