import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listOperationEntries } from '../../src/studio/server/development-server.ts';
import { apiContract, operationNames, type OperationName } from '../../src/contract/contract.ts';
import { readGalleryScreens, checkScreenCases } from '../../src/studio/server/check-edits.ts';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import { devPagePaths } from '../../src/studio/dev-page-data.ts';
import { pageDocumentPaths } from '../../src/server/web/pages/page-source.ts';
import { listSources, readTexts } from '../architecture/source-texts.ts';
import { readScreenFixtures, root } from '../definitions/support/fixtures.ts';
import { startFakeServer } from '../server/support/fake-server.ts';
import { productDefinitions } from '../definitions/support/product-definitions.ts';

describe('[QA+GALERIA] gallery in production', () => {
  test.each(Object.values(devPagePaths).flatMap((url) => ['production', 'development'].map((mode) => ({ url, mode }))))(
    'returns 404 for $url with NODE_ENV=$mode',
    async ({ url, mode }) => {
      const { http } = await startFakeServer({ env: { NODE_ENV: mode } });
      const { statusCode, headers, body } = await http.inject(url);
      expect([statusCode, body.includes('id="dev"')]).toEqual([404, false]);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['x-frame-options']).toBe('DENY');
    },
  );

  test('is not part of the portal build', { timeout: 60_000 }, async () => {
    const result = await build({ root, logLevel: 'error', build: { write: false } });
    const { output } = result as Rolldown.RolldownOutput; // a single build, because the test does not watch
    const modules = output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
    expect(modules).toContain(join(root, 'src/portal/main.ts'));
    expect(modules.filter((name) => name.includes('/src/studio/'))).toEqual([]);
    expect(output.map(({ fileName }) => fileName).filter((name) => name.endsWith('.html'))).toEqual([
      pageDocumentPaths.portal,
    ]);
  });

  test('has no address in the sources of the server', () => {
    const texts = listSources('src/server').flatMap((file) => readTexts(file));
    expect(texts.filter(({ text }) => text.startsWith('/_dev'))).toEqual([]);
  });
});

describe('[QA+GALERIA] gallery catalogue', () => {
  let definitions: ServedDefinitions;
  let copy = '';
  const write = (content: string): void => writeFileSync(join(copy, 'tests/fixtures/login.json'), content);
  beforeAll(async () => {
    definitions = await productDefinitions;
    copy = mkdtempSync(join(tmpdir(), 'gallery-'));
    mkdirSync(join(copy, 'tests/fixtures'), { recursive: true });
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test('lists every screen with its files, states and cases', async () => {
    const screens = await readGalleryScreens(root, definitions);
    expect(screens.map(({ name }) => name)).toEqual([...definitions.screens].sort());
    expect(screens.map(({ name, fixtures }) => [name, fixtures.map((fixture) => fixture.name)])).toEqual(
      screens.map(({ name }) => [name, readScreenFixtures(name).cases.map((own) => own.name)]),
    );
    expect(screens.find(({ name }) => name === 'login')).toMatchObject({
      area: 'Ingreso',
      files: ['schemas/login/schema.json', 'schemas/login/ui.json', 'schemas/login/ui.pt.json'],
      states: [{ name: 'ingreso.username' }],
    });
  });

  test('lists every operation with its request and response', () => {
    const operations = listOperationEntries(definitions);
    expect(operations.map(({ name }) => name).sort()).toEqual([...operationNames].sort());
    expect(operations.find(({ name }) => name === 'activateAccount')).toMatchObject({
      method: 'POST',
      path: apiContract.activateAccount.path,
      roles: apiContract.activateAccount.roles,
      proof: null,
      body: { type: 'object', required: ['uuid'] },
      answer: { type: 'object' },
    });
    for (const { name, body, answer } of operations) {
      expect(answer, name).not.toBeNull();
      if (apiContract[name as OperationName].method === 'POST') expect(body, name).not.toBeNull();
    }
  });

  test('marks cases that no longer match the rules and files that are invalid', async () => {
    const errors = { username: 'El documento no es válido.' };
    write(
      JSON.stringify({
        data: { username: '12345672' },
        cases: {
          right: { note: 'x' },
          true: { note: 'x', with: { username: '12345670' }, errors },
          false: { note: 'x', errors },
          lacking: { note: 'x', without: ['username'], errors: { username: 'Este es un dato requerido' } },
          shape: { note: 'x', data: [] },
          both: { note: 'x', data: {}, with: { username: '1' } },
          word: { note: 'x', error: errors },
        },
      }),
    );
    const fixtures = await checkScreenCases(copy, definitions, 'login');
    const shape = [{ kind: 'shape', detail: 'note, data | with, without, context, errors' }];
    expect(fixtures.map(({ name, faults }) => [name, faults])).toEqual([
      ['right', []],
      ['true', []],
      ['false', [{ kind: 'differs', field: 'username', expected: errors.username, actual: '' }]],
      ['lacking', []],
      ['shape', shape],
      ['both', shape],
      ['word', shape],
    ]);
    for (const broken of ['{', '[]', '{ "cases": [] }']) {
      write(broken);
      expect(await checkScreenCases(copy, definitions, 'login')).toMatchObject([
        { name: 'login', faults: [{ kind: 'unreadable', detail: expect.stringContaining('SyntaxError') as string }] },
      ]);
    }
    expect(await checkScreenCases(copy, definitions, 'registro')).toEqual([]);
  });
});
