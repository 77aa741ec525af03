import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../architecture/source-texts.ts';
import { placeSmallProject, smallProjectFlows } from '../engine/support/flow-copy.ts';

const screen = 'contacto';
const files = [`tests/fixtures/${screen}.json`, `tests/fixtures/${screen}.txt`] as const;
const [cases, snapshot] = files;

/** Timeout in milliseconds. The first check has no stored results. */
const timeout = 300_000;

describe('portal check of one screen', { timeout }, () => {
  let copy = '';
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'check-'));
    for (const name of ['plugins', 'src', 'package.json', 'tests/definitions', 'tests/fixtures'])
      cpSync(join(root, name), join(copy, name), { recursive: true });
    placeSmallProject(copy);
    const walks = 'tests/definitions/walks';
    for (const name of readdirSync(join(copy, walks)))
      if (!smallProjectFlows.includes(name.replace('.json', ''))) rmSync(join(copy, walks, name));
    for (const name of readdirSync(join(copy, 'tests/fixtures')))
      if (!existsSync(join(copy, 'schemas', name.replace(/[.]\w+$/, '')))) rmSync(join(copy, 'tests/fixtures', name));
    mkdirSync(join(copy, 'node_modules'));
    for (const name of readdirSync(join(root, 'node_modules')).filter((own) => own !== '.cache'))
      symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));
  beforeEach(() => {
    for (const file of files) cpSync(join(root, file), join(copy, file));
  });

  const read = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8');
  const edit = (file: string, from: string, to: string) => {
    expect(read(copy, file)).toContain(from);
    writeFileSync(join(copy, file), read(copy, file).replace(from, to));
  };
  const run = (...words: string[]) =>
    spawnSync(process.execPath, ['src/cli/portal.mjs', 'check', ...words], { cwd: copy, encoding: 'utf8' });
  const check = (...words: string[]) => checkScreen(screen, ...words);
  const checkScreen = (...words: string[]) => {
    const { status, stdout, stderr } = run(...words);
    return { status, stderr, last: stdout.split('\n').findLast((line) => /^(Falló|Se probaron)/.test(line)) }; // a line about the warnings of the small project may follow
  };
  const passed = { status: 0, stderr: '', last: `Se probaron los casos y el dibujo de ${screen}.` };

  test('[ANA-02] exits with 1 and names the case and the snapshot that fail', () => {
    edit(cases, '"Elegí un país."', '"Falta."');
    edit(snapshot, 'Contacto', 'Contato');
    const { status, stdout, stderr } = run(screen);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout.trimEnd().split('\n').slice(-2)).toEqual([
      `Falló: casos de ${screen}: country-unknown-form.`,
      `Falló: el dibujo de ${screen}.`,
    ]);
  });

  test('[ANA-02] reports a screen without a snapshot in one line, not in one line for each text', () => {
    rmSync(join(copy, snapshot));
    const lines = run(screen).stdout.split('\n');
    expect(lines.filter((line) => line.includes('dibujo'))).toEqual([
      'contacto: la pantalla todavía no tiene dibujo.',
      `Falló: el dibujo de ${screen}.`,
    ]);
  });

  test('[ANA-02] reports a changed text as a changed snapshot, not also as a text that no snapshot shows', () => {
    const ui = 'schemas/contacto/ui.json';
    edit(ui, '"ui:title": "Asunto"', '"ui:title": "Tema"');
    const { stdout } = run(screen);
    cpSync(join(root, ui), join(copy, ui));
    expect(stdout).toContain('la pantalla se ve distinta:');
    expect(stdout).not.toContain('ningún dibujo muestra');
  });

  test('[ANA-02 EST-07] reports a screen without cases and a mistake in the scenarios of a flow, and also the result of the named screen', () => {
    const other = 'tests/fixtures/feedback.json';
    rmSync(join(copy, other));
    const scenarios = 'tests/definitions/walks/registro.json';
    edit(scenarios, '"correccion_vencida"', '"correccion_vencido"');
    edit(cases, '"Elegí un país."', '"Falta."');
    const { status, stdout, stderr } = run(screen);
    for (const file of [other, scenarios]) cpSync(join(root, file), join(copy, file));
    expect(status).toBe(1);
    expect(stderr).toContain('schemas/feedback/ui.json');
    expect(stderr).toMatch(/registro\.json:\d+:\d+ .*¿Quisiste decir "correccion_vencida"\?/);
    expect(stdout.trimEnd().split('\n').slice(-2)).toEqual([
      'Falló: errores para corregir: 2.',
      `Falló: casos de ${screen}: country-unknown-form.`,
    ]);
  });

  test('[ANA-02] reports a glossary that is not JSON with file, line and remedy', () => {
    const glossary = 'src/brand/glossary.json';
    edit(glossary, '"press": ["tocá", "tocando", "botón"],', '"press": ["tocá", "tocando", "botón"]');
    const { status, stderr } = run(screen);
    cpSync(join(root, glossary), join(copy, glossary));
    expect(status).toBe(1);
    expect(stderr).toMatch(/^src\/brand\/glossary\.json:\d+:\d+ .*Falta una coma acá/);
  });

  test('[ANA-02] checks the texts of plugins again when only the glossary has changed', () => {
    const glossary = 'src/brand/glossary.json';
    const plugin = 'plugins/calendar-links/texts.json';
    expect(run('--set').stdout).not.toContain(plugin);
    edit(glossary, '"outlook",', '');
    const { stdout } = run('--set');
    cpSync(join(root, glossary), join(copy, glossary));
    expect(stdout).toMatch(/^plugins\/calendar-links\/texts\.json:\d+:\d+ .*text\/same/m);
  });

  test('[ANA-02] with --accept writes the cases and the snapshot that fail, and exits with 0', () => {
    edit(cases, '"Elegí un país."', '"Falta."');
    edit(snapshot, 'Contacto', 'Contato');
    expect(check('--accept')).toEqual(passed);
    for (const file of files) expect(read(copy, file)).toBe(read(root, file));
  });

  test('[QA-03] with --accept keeps the cases of a screen whose case "valid" is rejected, and says what to change', () => {
    edit(cases, '"email": "ana@correo.uy"', '"email": "ana"');
    const before = read(copy, cases);
    const { status, stdout } = run(screen, '--accept');
    expect(read(copy, cases)).toBe(before);
    expect(status).toBe(1);
    expect(stdout.match(/caso "valid" y \d+ más/g)).toHaveLength(1);
    expect(stdout).toMatch(/^Falló: casos de contacto: valid, [^,]+, [^,]+, [^,]+, [^,]+ y \d+ más\.$/m);
  });

  test('[ANA-02 EST-07] exits with 1 and names the scenario that a changed flow breaks, and passes once the flow is mended', () => {
    const [flow, named] = ['flows/contrasena.json', 'contrasena-restablecer-exito'];
    const [before, after] = ['{ "again": "pedir" }', '{ "again": "invalido" }'];
    edit(flow, before, after);
    expect(checkScreen(named)).toEqual({
      status: 1,
      stderr: '',
      last: 'Falló: recorridos de contrasena: un correo lleva a una contraseña nueva.',
    });
    edit(flow, after, before);
    expect(checkScreen(named)).toMatchObject({ status: 0, last: 'Se probaron los recorridos de contrasena.' });
  });
});
