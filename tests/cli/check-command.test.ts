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
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shortRunFlags } from '../../src/cli/testing/short-run-flags.ts';
import { root } from '../architecture/source-texts.ts';
import { placeSmallProject, smallProjectFlows } from '../engine/support/flow-copy.ts';

const screen = 'contacto';
const files = [`tests/fixtures/${screen}.json`, `tests/fixtures/${screen}.txt`] as const;
const [cases, snapshot] = files;
/** Screen without a snapshot, screen with a changed text, and screen of a flow with a broken scenario. */
const [undrawn, reworded, walked] = ['feedback', 'feedback-mensaje-enviado', 'contrasena-restablecer-exito'];
const named = [screen, undrawn, reworded, walked];

/** Timeout in milliseconds. The first check has no stored results. */
const timeout = 300_000;

describe('portal check of some screens', { timeout }, () => {
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

  const read = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8');
  const edit = (file: string, from: string, to: string) => {
    expect(read(copy, file)).toContain(from);
    writeFileSync(join(copy, file), read(copy, file).replace(from, to));
  };
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [...shortRunFlags, 'src/cli/portal.mjs', 'check', ...words], {
      cwd: copy,
      encoding: 'utf8',
    });
  const glossary = 'src/brand/glossary.json';

  /** Runs with a changed file, which is restored at once. */
  const runWithEdit = (file: string, [from, to]: readonly [string, string], ...words: string[]) => {
    edit(file, from, to);
    const result = run(...words);
    restore(file);
    return result;
  };
  const restore = (...paths: string[]) => {
    for (const file of paths) cpSync(join(root, file), join(copy, file));
  };

  describe('after mistakes in cases, snapshots, texts and a flow', () => {
    const drawing = `tests/fixtures/${undrawn}.txt`;
    const changed = [...files, drawing];
    const breakCases = () => {
      edit(cases, '"Elegí un país."', '"Falta."');
      edit(snapshot, 'Contacto', 'Contato');
      rmSync(join(copy, drawing));
    };
    const lines = () => failed.stdout.trimEnd().split('\n');
    let failed: ReturnType<typeof run>;
    beforeAll(() => {
      const [ui, flow] = [`schemas/${reworded}/ui.json`, 'flows/contrasena.json'];
      breakCases();
      edit(ui, '"title": "', '"title": "Otro ');
      edit(flow, '{ "again": "pedir" }', '{ "again": "invalido" }');
      failed = run(...named);
      restore(...changed, ui, flow);
    });

    test('[ANA-02 EST-07] exits with 1 and names the cases, snapshots and scenarios that fail', () => {
      const { status, stderr } = failed;
      expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
      expect(lines().slice(-5)).toEqual([
        `Falló: casos de ${screen}: country-unknown-form.`,
        `Falló: el dibujo de ${screen}.`,
        `Falló: el dibujo de ${undrawn}.`,
        `Falló: el dibujo de ${reworded}.`,
        'Falló: recorridos de contrasena: un correo lleva a una contraseña nueva.',
      ]);
    });

    test('[ANA-02] reports a screen without a snapshot in one line, not in one line for each text', () => {
      expect(lines().filter((line) => line.startsWith(`${undrawn}: `))).toEqual([
        `${undrawn}: la pantalla todavía no tiene dibujo.`,
        expect.stringContaining('--accept'),
      ]);
      expect(failed.stdout).not.toContain('ningún dibujo muestra');
    });

    test('[ANA-02] reports a changed text as a changed snapshot, not also as a text that no snapshot shows', () => {
      expect(lines()).toContain(`tests/fixtures/${reworded}.txt: la pantalla se ve distinta:`);
      expect(failed.stdout).not.toContain('ningún dibujo muestra');
    });

    test('[ANA-02 EST-07] with --accept writes the cases and snapshots that fail, and exits with 0 once texts and flow are mended', () => {
      breakCases();
      const { status, stdout, stderr } = run('--accept', ...named);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout.split('\n').filter((line) => /^(Falló|Se probaron)/.test(line))).toEqual([
        `Se probaron los casos y el dibujo de ${named.join(', ')}.`,
        'Se probaron los recorridos de contrasena.',
      ]);
      for (const file of changed) expect(read(copy, file)).toBe(read(root, file));
    });

    test('[ANA-02] checks the texts of plugins again when only the glossary has changed', () => {
      const plugin = 'plugins/calendar-links/texts.json';
      expect(failed.stdout).not.toContain(plugin);
      const { stdout } = runWithEdit(glossary, ['"outlook",', ''], '--set');
      expect(stdout).toMatch(/^plugins\/calendar-links\/texts\.json:\d+:\d+ .*text\/same/m);
    });
  });

  test('[ANA-02 EST-07] reports a screen without cases and a mistake in the scenarios of a flow, and also the result of the named screen', () => {
    const other = 'tests/fixtures/feedback.json';
    rmSync(join(copy, other));
    edit(cases, '"Elegí un país."', '"Falta."');
    const scenarios = 'tests/definitions/walks/registro.json';
    const { status, stdout, stderr } = runWithEdit(scenarios, ['"correccion_vencida"', '"correccion_vencido"'], screen);
    restore(other, cases);
    expect(status).toBe(1);
    expect(stderr).toContain('schemas/feedback/ui.json');
    expect(stderr).toMatch(/registro\.json:\d+:\d+ .*¿Quisiste decir "correccion_vencida"\?/);
    expect(stdout.trimEnd().split('\n').slice(-2)).toEqual([
      'Falló: errores para corregir: 2.',
      `Falló: casos de ${screen}: country-unknown-form.`,
    ]);
  });

  test('[ANA-02] reports a glossary that is not JSON with file, line and remedy', () => {
    const missingComma = ['"press": ["tocá", "tocando", "botón"],', '"press": ["tocá", "tocando", "botón"]'] as const;
    const { status, stderr } = runWithEdit(glossary, missingComma, screen);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^src\/brand\/glossary\.json:\d+:\d+ .*Falta una coma acá/);
  });

  test('[QA-03] with --accept keeps the cases of a screen whose case "valid" is rejected, and says what to change', () => {
    edit(cases, '"email": "ana@correo.uy"', '"email": "ana"');
    const before = read(copy, cases);
    const { status, stdout } = run(screen, '--accept');
    const after = read(copy, cases);
    restore(cases);
    expect(after).toBe(before);
    expect(status).toBe(1);
    expect(stdout.match(/caso "valid" y \d+ más/g)).toHaveLength(1);
    expect(stdout).toMatch(/^Falló: casos de contacto: valid, [^,]+, [^,]+, [^,]+, [^,]+ y \d+ más\.$/m);
  });

  test('[QA-03] names the command that proposes the cases of an untested rule', () => {
    const withRule = [
      '"type": "string", "maxLength": 2048',
      '"type": "string", "minLength": 1, "maxLength": 2048',
    ] as const;
    const { stdout } = runWithEdit('schemas/feedback/schema.json', withRule, 'feedback');
    expect(stdout).toMatch(
      /ningún caso distingue minLength.*\n(.*\n)*Proponé los casos que faltan con npm run check -- feedback --write/,
    );
  });
});
