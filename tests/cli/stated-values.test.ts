import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  command,
  formatValuesStatedInTexts,
  listValuesStatedInTexts,
  type ValueStatedInTexts,
} from '../../src/cli/definitions/texts/values-stated-in-texts.ts';
import { runInProcess } from '../server/support/run-command.ts';

const files: Readonly<Record<string, unknown>> = {
  'schemas/_formats/ui.schema.json': { description: 'Within 2 horas.' },
  'schemas/turno/schema.json': { $comment: '2 horas' },
  'schemas/turno/ui.json': { title: 'Turno', intro: 'Confirmalo en 2 horas.', links: [{ text: '{supportMailbox}' }] },
  'schemas/turno/ui.pt.json': { title: 'Horário', intro: 'Confirme em 2 horas.', links: [{ text: '{nombre}' }] },
  'schemas/_shared/notices.json': { $defs: { tarde: { text: 'Pasaron 77 días.' } } },
  'src/server/features/content/es/preguntas/uno.md': 'Dura {horas_sesion} horas.\nSon {dias_cierre} días.\n',
  'src/server/features/content/es/preguntas/dos.md': 'Hasta {horas_sesion} horas.\n',
  'src/server/features/content/mails/uno.pt.txt': 'Assunto\n\nEm 2 dias.\n',
  'src/studio/texts.json': { es: { a: '9 horas' } },
  'plugins/uno/texts.json': { es: { uno: 'Nada.' } },
};

let root = '';
let values: readonly ValueStatedInTexts[] = [];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'values-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  values = await listValuesStatedInTexts(root);
});
afterAll(() => rm(root, { recursive: true, force: true }));

const listPlaces = (value: string) =>
  values.find((own) => own.value === value)?.places.map(({ file, line, pointer }) => `${file}:${line} ${pointer}`);

test('[QA-02] listValuesStatedInTexts finds values in both languages, in screens, mails and help, but not in schemas and texts for staff', () => {
  expect(values.map(({ value }) => value).sort()).toEqual([
    '2 días',
    '2 horas',
    '77 días',
    '{dias_cierre}',
    '{horas_sesion}',
    '{supportMailbox}',
  ]);
  expect(listPlaces('2 horas')).toEqual(['schemas/turno/ui.json:1 /intro', 'schemas/turno/ui.pt.json:1 /intro']);
  expect(listPlaces('2 días')).toEqual(['src/server/features/content/mails/uno.pt.txt:3 ']);
  expect(listPlaces('{horas_sesion}')).toHaveLength(2);
});

test('[QA-02] listValuesStatedInTexts names the setting or the constant behind a placeholder, and the constants equal to a handwritten value', () => {
  const sources = Object.fromEntries(values.map((own) => [own.value, own.sources]));
  expect(sources).toMatchObject({
    '2 horas': ['reservationConfirmHours'],
    '77 días': [],
    '{dias_cierre}': ['closureGraceDays'],
    '{horas_sesion}': ['SESSION_LIFE_S'],
    '{supportMailbox}': ['SUPPORT_MAILBOX'],
  });
});

test('[QA-02] formatValuesStatedInTexts lists repeated and handwritten values, and leaves out a placeholder that is stated once', () => {
  const text = formatValuesStatedInTexts(values, 'es');
  expect(text).toMatch(
    /^\{horas_sesion\}: sale de SESSION_LIFE_S\.\n {2}src\/server\/.*dos\.md:1\n {2}src.*uno\.md:1\n/m,
  );
  expect(text).toContain('2 horas: escrito a mano. Si es reservationConfirmHours, cambiá los dos a la vez.\n');
  expect(text).toContain('77 días: escrito a mano. Ningún ajuste ni constante vale eso.\n');
  expect(text).not.toContain('dias_cierre');
});

test('[QA-02] portal definitions texts ends with the number of values, in the requested language', async () => {
  const { status, stdout } = await runInProcess(command, []);
  expect([status, stdout.split('\n').at(-2)]).toEqual([
    0,
    expect.stringMatching(/^\d+ valores en los textos\. Escritos a mano: \d+\.$/),
  ]);
  expect((await runInProcess(command, ['--lang', 'en'])).stdout).toMatch(/Written by hand: \d+\.\n$/);
});
