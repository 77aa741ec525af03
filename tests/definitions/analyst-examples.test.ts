import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import { loadDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import { createDefinitionLintOptions } from '../../src/server/app/definition-lint-options.ts';
import { createDefinitionOptions } from '../../src/server/app/definition-options.ts';
import { analystDocuments } from '../architecture/analyst-document.ts';
import { parseScreenCases } from '../../src/cli/definitions/cases/screen-cases.ts';
import { placeSmallProject } from '../engine/support/flow-copy.ts';
import { root } from './support/fixtures.ts';

describe('[ANA-01 ANA-02] complete files in the analyst documentation', () => {
  const files = new Map(analystDocuments.flatMap((document) => [...document.files]));
  let folder: string;
  let definitions: ServedDefinitions;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'analyst-'));
    placeSmallProject(folder);
    await symlink(join(root, 'plugins'), join(folder, 'plugins'));
    await newScreen('visita-motivo');
    await newScreen('visita-horario', (text) => text.replaceAll('comentario', 'horario'));
    for (const [path, content] of files) await write(path, content);
    const analysis = createDefinitionLintOptions(root);
    definitions = await loadDefinitions({ ...createDefinitionOptions(root), root: folder, analysis });
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function write(path: string, content: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content, { flag: 'wx' }); // `wx` fails if two documents show the same file
  }

  /** Writes the files that `npm run new:screen` creates, except the flow. */
  async function newScreen(name: string, edit = (text: string) => text): Promise<void> {
    const templates = join(root, 'src/cli/new/templates/screen');
    for (const file of (await readdir(templates)).filter((own) => /^(schema|ui(\.\w+)?)\.json/.test(own))) {
      const text = readFileSync(join(templates, file), 'utf8').replaceAll('{{name}}', name);
      await write(`schemas/${name}/${file.replace('.template', '')}`, edit(text));
    }
  }

  test('are screens, flows and cases that load beside those of the portal', () => {
    expect([...files.keys()].sort()).toEqual([
      'flows/opinion-turno.json',
      'flows/recordatorio.json',
      'flows/visita.json',
      'schemas/opinion-turno-gracias/ui.json',
      'schemas/opinion-turno-gracias/ui.pt.json',
      'schemas/opinion-turno/schema.json',
      'schemas/opinion-turno/ui.json',
      'schemas/opinion-turno/ui.pt.json',
      'schemas/recordatorio/schema.json',
      'schemas/recordatorio/ui.json',
      'schemas/recordatorio/ui.pt.json',
      'tests/fixtures/recordatorio.json',
    ]);
    for (const flow of ['opinion-turno', 'recordatorio', 'visita']) expect(definitions.flows).toHaveProperty(flow);
  });

  test('have no checker finding except the two dropped fields of the first example', () => {
    const found = definitions.findings.filter(({ file }) => files.has(file));
    expect(found.map(({ file, rule, pointer }) => `${file} ${rule} ${pointer}`)).toEqual(
      ['email', 'telefono'].map((name) => `schemas/recordatorio/schema.json data/dropped /properties/${name}`),
    );
  });

  test('contain cases with exactly the errors that the rules return', () => {
    const cases = [...files].filter(([path]) => path.startsWith('tests/fixtures/'));
    expect(cases.length).toBeGreaterThan(0);
    for (const [path, content] of cases) {
      const screen = /([^/]+)\.json$/.exec(path)?.[1] ?? '';
      for (const { name, data, context, errors } of parseScreenCases(content).cases)
        expect(definitions.check(screen, data, { language: 'es', context }).errors, `${path} ${name}`).toEqual(errors);
    }
  });
});
