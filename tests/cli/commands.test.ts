import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printCheckSummary } from '../../src/cli/definitions/check.ts';
import { createLocalizedPrint } from '../../src/cli/definitions/localized-output.ts';
import { command as newPlugin } from '../../src/cli/new/new-plugin.ts';
import { command as newScreen } from '../../src/cli/new/new-screen.ts';
import { measureRuleCoverage } from '../../src/cli/definitions/coverage.ts';
import { loadDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import { createDefinitionLintOptions } from '../../src/server/app/definition-lint-options.ts';
import { createDefinitionOptions } from '../../src/server/app/definition-options.ts';
import { runInProcess } from '../server/support/run-command.ts';
import { parseScreenCases } from '../../src/cli/definitions/cases/screen-cases.ts';
import { shortRunFlags } from '../../src/cli/testing/short-run-flags.ts';
import { summarizePlaywrightReport, summarizeVitestReport } from '../../src/cli/testing/test-runners.ts';
import { root } from '../architecture/source-texts.ts';
import { placeSmallProject } from '../engine/support/flow-copy.ts';

describe('summary of the test command', () => {
  const file = (status: string, ...tests: object[]) => ({ status, name: 'a.test.ts', assertionResults: tests });
  const fine = { status: 'passed', fullName: 'fine', failureMessages: [] };
  const late = { status: 'passed', fullName: 'late', failureMessages: ['not at once'] };
  const bad = {
    status: 'failed',
    fullName: 'bad',
    failureMessages: ['AssertionError: \u001B[31mnever\u001B[39m\n    at a.test.ts:1'],
  };

  test.each([
    {
      report: { numPassedTests: 3, numFailedTests: 1, testResults: [file('failed', fine, bad)] },
      exit: 1,
      sum: [3, 1],
      named: ['failed: a.test.ts › bad: AssertionError: never'],
      note: 'a failed test',
    },
    {
      report: { numPassedTests: 3, numFailedTests: 0, testResults: [file('passed', fine), file('failed')] },
      exit: 1,
      sum: [3, 1],
      named: ['failed: a.test.ts'],
      note: 'a file that did not load',
    },
    {
      report: {
        numPassedTests: 3,
        numFailedTests: 1,
        testResults: [file('failed', bad), file('failed', { ...fine, status: 'skipped' })],
      },
      exit: 1,
      sum: [3, 2],
      named: ['failed: a.test.ts', 'failed: a.test.ts › bad: AssertionError: never'],
      note: 'a failed set-up beside a failed test',
    },
    {
      report: { numPassedTests: 3, numFailedTests: 0, testResults: [file('passed', fine)] },
      exit: 1,
      sum: [3, 1],
      named: ['failed: an error outside of the tests, or no test at all'],
      note: 'an unhandled error',
    },
    {
      report: { numPassedTests: 3, numFailedTests: 0, testResults: [file('passed', fine, late)] },
      exit: 0,
      sum: [3, 0],
      named: ['passed at the second try: a.test.ts › late: not at once'],
      note: 'a test that passed at its second try',
    },
    {
      report: { numPassedTests: 3, numFailedTests: 0, testResults: [file('passed', fine)] },
      exit: 0,
      sum: [3, 0],
      named: [],
      note: 'a successful run',
    },
    { report: null, exit: 1, sum: [0, 1], named: ['failed: a runner wrote no report'], note: 'no report' },
    { report: null, exit: 0, sum: [0, 1], named: ['failed: a runner wrote no report'], note: 'exit 0, no report' },
  ])('counts the vitest report and exit code of $note', ({ report, exit, sum: [passed, failed], named }) => {
    expect(summarizeVitestReport(report, exit)).toEqual({ passed, failed, named });
  });

  const spec = (title: string, status: string, message?: string) => ({
    title,
    tests: [{ status, results: [{ errors: message === undefined ? [] : [{ message }] }] }],
  });
  test.each([
    {
      report: {
        stats: { expected: 2, unexpected: 1, flaky: 1, skipped: 5 },
        suites: [
          {
            title: 'a.spec.ts',
            specs: [spec('fine', 'expected'), spec('bad', 'unexpected', 'Error: no button\n\nExpected: 1')],
            suites: [{ title: 'a page', specs: [spec('late', 'flaky')] }],
          },
        ],
      },
      exit: 1,
      sum: [3, 1],
      named: ['failed: a.spec.ts › bad: Error: no button', 'passed at the second try: a.spec.ts › a page › late'],
      note: 'a failed and a flaky test',
    },
    {
      report: { stats: { expected: 0, unexpected: 0, flaky: 0 } },
      exit: 1,
      sum: [0, 1],
      named: ['failed: an error outside of the tests, or no test at all'],
      note: 'a run without tests',
    },
    { report: null, exit: 1, sum: [0, 1], named: ['failed: a runner wrote no report'], note: 'no report' },
  ])('counts the Playwright report and exit code of $note', ({ report, exit, sum: [passed, failed], named }) => {
    expect(summarizePlaywrightReport(report, exit)).toEqual({ passed, failed, named });
  });
});

describe('last lines of npm run check', () => {
  const fine = { screens: 2, flows: 1, pages: 3, questions: 4, languages: 2, unknown: [], results: [], replayed: [] };
  const passed = { screen: 'contacto', file: 'contacto.txt', failing: [], changedSnapshot: null, unread: undefined };
  const failing = [{ file: 'contacto.json', name: 'sin-asunto', differences: [], errors: {} }];
  const changedSnapshot = { isNew: false, lines: ['+ x'], more: 0 };
  const cases = 'Falló: casos de contacto: sin-asunto.\n';
  const drawing = 'Falló: el dibujo de contacto.\n';
  const end = (outcome: object, given: object = {}) => {
    const lines: string[] = [];
    const print = createLocalizedPrint({ out: (line: string) => void lines.push(line) } as never, 'es');
    const all = { ...fine, errors: 0, warnings: 0, uncovered: 0, ...outcome };
    return [printCheckSummary(all, { accept: false, strict: false, ...given }, print), lines.join('')];
  };

  test.each([
    ['a failing case', { results: [{ ...passed, failing }] }, {}, cases],
    ['a changed snapshot', { results: [passed, { ...passed, changedSnapshot }] }, {}, drawing],
    ['both of them', { results: [{ ...passed, failing, changedSnapshot }] }, {}, cases + drawing],
    ['a snapshot with a missing value', { results: [{ ...passed, unread: '{x}' }] }, { accept: true }, drawing],
    ['a widget that throws', { results: [{ ...passed, thrown: 'Error: x' }] }, { accept: true }, drawing],
    [
      'a broken scenario',
      { replayed: [{ flow: 'registro', file: '', broken: [{ name: 'sin correo', mismatch: '' }] }] },
      { accept: true },
      'Falló: recorridos de registro: sin correo.\n',
    ],
    ['an error in a case file', { errors: 2 }, {}, 'Falló: errores para corregir: 2.\n'],
    ['an unknown screen', { unknown: ['contato'] }, {}, 'Falló: contato: ninguna pantalla se llama así.\n'],
    ['warnings with --strict', { warnings: 2 }, { strict: true }, 'Falló: avisos del corrector: 2.\n'],
    ['untested rules', { uncovered: 3 }, { strict: true }, 'Falló: reglas y textos sin probar: 3.\n'],
  ])('[ANA-02] exit code is 1 and only the failure is printed for %s', (_, outcome, given, said) => {
    expect(end(outcome, given)).toEqual([1, said]);
  });

  test.each([
    ['changes with --accept', { results: [{ ...passed, failing, changedSnapshot }] }, { accept: true }, ''],
    [
      'warnings without --strict',
      { results: [passed], warnings: 2, uncovered: 3 },
      {},
      'Avisos del corrector: 2. Con avisos, npm test falla.\nReglas y textos sin probar: 3. Así npm test falla.\n',
    ],
  ])('[ANA-02] exit code is 0 and the checked screens are printed for %s', (_, outcome, given, said) => {
    const [status, text] = end(outcome, given);
    expect([status, text]).toEqual([0, expect.stringMatching(/Están bien 2 pantallas[^]*de contacto\.\n/)]);
    expect(String(text).split('de contacto.\n').at(-1)).toBe(said);
  });
});

/** Timeout in milliseconds. Each step starts a process. */
const timeout = 120_000;

describe('skeletons of portal new', { timeout }, () => {
  let copy = '';
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'skeleton-'));
    for (const name of [
      'plugins',
      'src',
      'package.json',
      'tsconfig.json',
      'vite.config.ts',
      'vitest.config.ts',
      'tests/after-each.ts',
      'tests/plugins',
      'tests/definitions/uncovered-rules.json',
      'tests/engine/support',
    ]) {
      cpSync(join(root, name), join(copy, name), { recursive: true });
    }
    placeSmallProject(copy);
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));
  const run = (...parameters: string[]) =>
    spawnSync(process.execPath, [...shortRunFlags, ...parameters], { cwd: copy, encoding: 'utf8' });

  test('[PLUG-01 ANA-01 ANA-02] a new plugin of each kind and a new screen pass their tests, and the checker finds a mistake in them', async () => {
    for (const kind of ['rule', 'widget', 'format', 'operator'])
      expect(run('src/cli/portal.mjs', 'new', 'plugin', `sin-${kind}`, '--kind', kind).status).toBe(0);
    const widget = readFileSync(join(copy, 'plugins/sin-widget/widget.tsx'), 'utf8');
    expect(widget, 'the widget has the style of the other fields').toMatch(/<Input \{\.\.\.control\}/);
    expect(run('node_modules/vitest/vitest.mjs', 'run', 'plugins/sin-').stdout).toMatch(/12 passed/);
    expect(run('src/cli/portal.mjs', 'new', 'screen', 'encuesta').status).toBe(0);
    const analysis = createDefinitionLintOptions(copy);
    const { check } = await loadDefinitions({ ...createDefinitionOptions(copy), analysis });
    const { cases } = parseScreenCases(readFileSync(join(copy, 'tests/fixtures/encuesta.json'), 'utf8'));
    expect(cases.map(({ name }) => name)).toEqual(['valid', 'empty', 'too-long']);
    const found = cases.map(({ data }) => check('encuesta', data, { language: 'es', context: {} }).errors);
    expect(found).toEqual(cases.map(({ errors }) => errors));
    expect((await measureRuleCoverage(copy, ['encuesta'])).uncovered).toEqual([]);
    const ui = join(copy, 'schemas/encuesta/ui.json');
    writeFileSync(ui, readFileSync(ui, 'utf8').replace('"textarea"', '"textarena"'));
    expect(run('src/cli/portal.mjs', 'check', '--set')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^schemas\/encuesta\/ui\.json:\d+:\d+ .*textarena/),
    });
  });

  test('a missing, malformed or existing name is rejected', async () => {
    const refused = { status: 1, stdout: '' };
    expect(await runInProcess(newPlugin, ['matches'])).toMatchObject(refused);
    expect(await runInProcess(newScreen, ['Ñandú'])).toMatchObject({ ...refused, status: 2 });
    expect((await runInProcess(newScreen, [])).stderr).toContain('Usage');
  });
});
