import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  explainByLostPlaceholders,
  findLostPeriods,
  findLostPlaceholders,
} from '../../src/cli/definitions/texts/lost-text-parts.ts';
import type { DefinitionProblem } from '../../src/engine/compiler/definitions.ts';
import { findCopiedTitles, moveFindingsToCopies } from '../../src/cli/definitions/texts/copied-titles.ts';
import { findMisspeltChanges, omitConsequencesOfChanges } from '../../src/cli/definitions/texts/misspelt-changes.ts';
import { findOutdatedTranslations } from '../../src/cli/definitions/texts/outdated-translations.ts';
import { readTextChanges } from '../../src/cli/definitions/texts/text-changes.ts';
import { listDefinitionTexts } from '../../src/cli/definitions/texts/texts-outside-definitions.ts';
import { findUnmatchedPageParagraphs } from '../../src/cli/definitions/texts/unmatched-paragraph.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'texts-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

type Files = Readonly<Record<string, string>>;

async function write(files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** Commits files, and returns a function that reads the changes of others. */
async function commit(files: Files) {
  await write(files);
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=QA', '-c', 'user.email=qa@example.org', ...words], { cwd: root });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  return async (changed: Files) => {
    await write({ ...files, ...changed });
    return readTextChanges(root, ['es', 'pt']);
  };
}

const [screen, translation] = ['schemas/a/ui.json', 'schemas/a/ui.pt.json'];
const mail = (language: string) => `src/server/a/mails/a.${language}.txt`;
const page = (language: string) => `src/server/features/content/${language}/preguntas/a.md`;
const intro = (text: string) => JSON.stringify({ title: 'A', intro: [text] }, null, 1);

test('[QA-02] findLostPlaceholders names once a variable that a number has replaced in every language', async () => {
  const change = await commit({
    [screen]: intro('Te quedan {intentos} intentos en {plazo}.'),
    [translation]: intro('Restam {intentos} tentativas em {plazo}.'),
    [mail('es')]: 'Asunto\n\nHola, {{name}}:\n\nVence el {{expires}}, a las 10.\n',
    [mail('pt')]: 'Assunto\n\nOlá, {{name}}:\n\nVence em {{expires}}, às 10.\n',
  });
  const find = async (changed: Files) =>
    findLostPlaceholders(root, await change(changed), { base: 'es', counts: ['tres'] }, 'es').map(
      ({ rule, file, line, message, hint, related = [] }) =>
        `${rule ?? ''} ${file}:${line} ${message} ${hint} (${related.map((place) => place.file).join(' ')})`,
    );
  const both = (es: string, pt: string) => find({ [screen]: intro(es), [translation]: intro(pt) });
  const found = (number: string) => [
    `text/placeholder ${screen}:4 Acá decía {intentos}, y ahora dice "${number}", igual que en ui.pt.json: así todos leen el mismo valor. Escribí {intentos} de nuevo, en todos los idiomas. (${translation})`,
  ];
  expect(await both('Te quedan 3 intentos en {plazo}.', 'Restam 3 tentativas em {plazo}.')).toEqual(found('3'));
  expect(await both('Te quedan tres intentos en {plazo}.', 'Restam 3 tentativas em {plazo}.')).toEqual(found('tres'));
  expect(await both('Solo te quedan 3 intentos, ¡cuidado!', 'Só restam 3 tentativas, cuidado!')).toEqual(found('3'));
  expect(await both('Te quedan 3 intentos en {plazo}.', 'Restam {intentos} tentativas em {plazo}.')).toEqual([]); // the comparison of the languages reports it
  expect(await both('Probá otra vez: faltan 5 minutos.', 'Tente de novo: faltam 5 minutos.')).toEqual([]);
  expect(await both('Te quedan intentos.', 'Restam tentativas.')).toEqual([]);
  expect(
    await find({
      [mail('es')]: 'Asunto\n\nUn párrafo más.\n\nHola, {{name}}:\n\nVence el 3 de mayo, a las 10.\n',
      [mail('pt')]: 'Assunto\n\nMais um parágrafo.\n\nOlá, {{name}}:\n\nVence em 3 de maio, às 10.\n',
    }),
  ).toEqual([
    expect.stringContaining(`${mail('es')}:7 Acá decía {{expires}}, y ahora dice "3", igual que en a.pt.txt`),
  ]);
});

test('[QA-02] findLostPlaceholders names once, at the edited text, a placeholder of the code that a change has renamed or removed', async () => {
  const [table, tableOfPt, plugin] = [
    'schemas/_shared/texts/a.json',
    'schemas/_shared/texts/a.pt.json',
    'plugins/a/texts.json',
  ];
  const [spanish, portuguese] = ['Paso {number} de {count}', 'Passo {number} de {count}'];
  const texts = (es: string, pt: string) => ({
    [table]: JSON.stringify({ step: es }),
    [tableOfPt]: JSON.stringify({ step: pt }),
    [plugin]: JSON.stringify({ es: { step: es }, pt: { step: pt } }),
    [screen]: JSON.stringify({ title: es }),
    [translation]: JSON.stringify({ title: pt }),
  });
  const code = (values: string) => ({
    'src/portal/steps.ts': `const text = (number: string) => fill({\n  ${values}\n});\n`,
  });
  const change = await commit({ ...texts(spanish, portuguese), ...code('number, count') });
  const read = async (es: string, pt: string, changedCode: Files = {}) =>
    findLostPlaceholders(root, await change({ ...texts(es, pt), ...changedCode }), { base: 'es' }, 'es');
  const find = async (...changed: Parameters<typeof read>) =>
    (await read(...changed)).map(
      ({ file, pointer, message, hint, related = [] }) =>
        `${file} ${pointer} ${message} ${hint} (${related.map((place) => place.file + place.pointer).join(' ')})`,
    );
  const ofEach = (language: 'es' | 'pt', explain: (other: string) => string) => {
    const [own, other] = language === 'es' ? [table, tableOfPt] : [tableOfPt, table];
    const name = language === 'es' ? 'pt' : 'es';
    return [
      `${plugin} /${language}/step ${explain(`"${name}"`)} (${plugin}/${name}/step)`,
      `${own} /step ${explain(other.replace(/.*\//, ''))} (${other}/step)`,
    ].sort();
  };
  const sorted = async (found: Promise<string[]>) => (await found).sort();
  const renamed = (other: string) =>
    `{nombre} no es un valor de este texto: antes decía {number}, igual que en ${other}. Escribí {number}.`;
  const missing = (other: string) =>
    `Falta {number}: este texto lo decía antes, igual que en ${other}. Escribí {number}.`;
  expect(await sorted(find('Paso {nombre} de {count}', portuguese))).toEqual(ofEach('es', renamed));
  expect(await sorted(find(spanish, 'Passo {nombre} de {count}'))).toEqual(ofEach('pt', renamed));
  expect(await sorted(find('Paso de {count}', portuguese))).toEqual(ofEach('es', missing));
  const renamedInBoth = () =>
    '{nombre} no es un valor de este texto: antes decía {number}. Escribí {number} de nuevo, en todos los idiomas.';
  expect(await sorted(find('Paso {nombre} de {count}', 'Passo {nombre} de {count}'))).toEqual(
    ofEach('es', renamedInBoth),
  );
  const removed = () =>
    'Este texto antes decía {number}, y ahora ninguno lo dice. Escribilo de nuevo, o pedí el cambio a quien programa.';
  const without = ['Paso de {count}', 'Passo de {count}'] as const;
  expect(await sorted(find(...without))).toEqual(ofEach('es', removed));
  expect(await sorted(find(...without, code('number, count // of an array')))).toEqual([]); // the code has changed too
  expect(await sorted(find(...without, code('number, count\n  const size: number = 3;')))).toEqual(
    ofEach('es', removed),
  );
  expect(await find(...without, code('count'))).toEqual([]);
  expect(
    (await find('Paso 3 de {count}', 'Passo 3 de {count}')).map((line) => line.includes('ahora dice "3"')),
  ).toEqual([true, true, true]);
  const place = { line: 1, column: 1, hint: '', file: tableOfPt, pointer: '/step' };
  const kept = [
    { ...place, message: 'Falta el texto.' },
    { ...place, message: 'Acá dice {number}.', pointer: '/other' },
  ];
  const lost = (await read('Paso {nombre} de {count}', portuguese)).filter(({ file }) => file === table);
  const explained = explainByLostPlaceholders([{ ...place, message: 'Acá dice {number}.' }, ...kept], lost);
  expect(explained).toEqual([...kept, { ...lost[0], severity: 'E' }]);
});

test('[QA-02] findLostPeriods names once, at the edited text, a final period that only one language has lost', async () => {
  const change = await commit({
    [screen]: intro('Tal como figura.'),
    [translation]: intro('Tal como aparece.'),
    [page('es')]: 'Uno.\n\n- Dos. {si clave}\n- Tres.\n',
    [page('pt')]: 'Um.\n\n- Dois. {si clave}\n- Três.\n',
  });
  const read = async (changed: Files) => findLostPeriods(await change(changed), 'es');
  const find = async (changed: Files) =>
    (await read(changed)).map(
      ({ rule, file, line, message, hint }) => `${rule ?? ''} ${file}:${line} ${message} ${hint}`,
    );
  const hint = 'Escribilo, o quitalo también ahí.';
  expect(await find({ [screen]: intro('Igual que figura') })).toEqual([
    `text/pair ${screen}:4 Falta el punto final: el texto de antes y el de ui.pt.json terminan en punto. ${hint}`,
  ]);
  expect(await find({ [translation]: intro('Tal como aparece') })).toEqual([
    `text/pair ${translation}:4 Falta el punto final: el texto de antes y el de ui.json terminan en punto. ${hint}`,
  ]);
  expect(await find({ [page('es')]: 'Uno.\n\n- Dos {si clave}\n- Tres.\n' })).toEqual([
    `text/pair ${page('es')}:3 Falta el punto final: el texto de antes y el de "pt" terminan en punto. ${hint}`,
  ]);
  for (const [es, pt] of [
    ['¿Tal como figura?', 'Tal como aparece.'],
    ['Tal como figura', 'Tal como aparece'],
    ['Tal como se lee.', 'Tal como aparece.'],
  ] as const)
    expect(await find({ [screen]: intro(es), [translation]: intro(pt) }), es).toEqual([]);
  const causes = await read({ [screen]: intro('Tal como figura') });
  const found = { severity: 'W', line: 4, column: 1, message: '', hint: '', pointer: '/intro/0' } as const;
  const blamed = { ...found, file: translation, related: [{ file: screen, pointer: '/intro/0' }] };
  const kept = [
    { ...blamed, rule: 'text/same' },
    { ...found, rule: 'text/pair', file: translation, pointer: '/title' },
  ];
  expect(omitConsequencesOfChanges([{ ...blamed, rule: 'text/pair' }, ...kept], causes)).toEqual(kept);
});

test('[QA-02] the checks of changes find a typing mistake and an outdated translation below an added paragraph', async () => {
  const change = await commit({
    [page('es')]: 'Uno.\n\nMirá tus cuentas.\n\nGuardá el código.\n',
    [page('pt')]: 'Um.\n\nVeja as suas contas.\n\nGuarde o código.\n',
  });
  const changes = await change({
    [page('es')]: 'Antes.\n\nUno.\n\nMirá tus cunetas.\n\nGuardá la clave.\n',
    [page('pt')]: 'Antes.\n\nUm.\n\nVeja as suas contas.\n\nGuarde o código.\n',
  });
  const misspelt = await findMisspeltChanges(changes, 'es', async () => []);
  expect(misspelt.map(({ file, line }) => `${file}:${line}`)).toEqual([`${page('es')}:5`]);
  const outdated = findOutdatedTranslations(changes, 'es', 'es');
  expect(outdated.map(({ file, line }) => `${file}:${line}`)).toEqual([`${page('pt')}:5`, `${page('pt')}:7`]);
});

test('[QA-02] findUnmatchedPageParagraphs quotes the first of many paragraphs that a page lacks', async () => {
  const numbers = Array.from({ length: 60 }, (_, index) => `Paso ${index} de todos.`);
  await write({
    [page('es')]: numbers.join('\n\n'),
    [page('pt')]: numbers.filter((_, index) => index < 10 || index >= 35).join('\n\n'),
  });
  const found = await findUnmatchedPageParagraphs(root, ['es', 'pt'], 'es');
  expect(found.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
    `${page('es')}:21 En ${page('pt')} falta este párrafo: "Paso 10 de todos.".`,
  ]);
});

test('[QA-02] findCopiedTitles reports a new or changed title that a screen of another flow has', async () => {
  const flow = (id: string, ...screens: readonly string[]) => ({
    [`flows/${id}.json`]: JSON.stringify({ states: screens.map((name) => ({ screen: name })) }),
  });
  const titled = (id: string, es: string, pt: string) => ({
    [`schemas/${id}/ui.json`]: JSON.stringify({ title: es }),
    [`schemas/${id}/ui.pt.json`]: JSON.stringify({ title: pt }),
  });
  const change = await commit({
    ...titled('phone', 'Tu teléfono', 'O seu telefone'),
    ...titled('mail', 'Tu correo', 'O seu e-mail'),
    ...titled('used', 'Tu teléfono', 'O seu telefone'),
    ...flow('call', 'phone'),
    ...flow('account', 'mail', 'new'),
  });
  const find = async (files: Files, known: readonly DefinitionProblem[] = []) => {
    await change(files);
    const found = await findCopiedTitles(root, known, 'es', () => listDefinitionTexts(root, ['es', 'pt']));
    await rm(join(root, 'schemas/new'), { recursive: true, force: true });
    return found.map(({ file, pointer, message }) => `${file} ${pointer} ${message}`);
  };
  const report = (id: string) => [
    `schemas/${id}/ui.json /title "Tu teléfono" es también el título de schemas/phone/ui.json, de otro flujo.`,
  ];
  const intro = { 'schemas/used/ui.json': JSON.stringify({ title: 'Tu teléfono', intro: 'Escribilo.' }) };
  expect(await find(intro)).toEqual([]); // its title is as in the commit
  expect(await find(titled('new', 'Tu teléfono', 'O seu telefone'))).toEqual(report('new'));
  expect(await find(titled('mail', 'Tu teléfono', 'O seu telefone'))).toEqual(report('mail'));
  expect(await find(titled('new', 'Tu teléfono', 'O telefone'))).toEqual([]);
  const many = ['phone', 'used', 'first', 'second'].map((id) => titled(id, 'Tu teléfono', 'O seu telefone'));
  expect(await find(Object.assign({}, ...many) as Files)).toEqual([]); // a title that many screens have
  await Promise.all(['first', 'second'].map((id) => rm(join(root, 'schemas', id), { recursive: true })));
  const place = { file: 'schemas/new/ui.json', line: 1, column: 1, pointer: '/title', message: '', hint: '' };
  expect(
    await find(titled('new', 'Tu teléfono', 'O seu telefone'), [{ ...place, severity: 'W', rule: 'ui/copy' }]),
  ).toEqual([]);
  const inOneFlow = { ...titled('new', 'Tu teléfono', 'O seu telefone'), ...flow('call', 'phone', 'new') };
  expect(await find(inOneFlow)).toEqual([]);
});

test('[QA-02] moveFindingsToCopies reports a copied screen at the new screen, not at its committed original', async () => {
  const screen = JSON.stringify({ title: 'Tu clave' }, null, 2);
  const change = await commit({ 'schemas/old/ui.json': screen, 'schemas/other/ui.json': screen });
  await change({ 'schemas/copy/ui.json': `\n${screen}` });
  const find = async (original: string, copy: string) => {
    const [file, related] = [original, copy].map((id) => `schemas/${id}/ui.json`) as [string, string];
    const finding = { file, line: 2, column: 3, pointer: '/title', rule: 'ui/copy', hint: '', message: `Y "${copy}".` };
    const found = [{ ...finding, related: [{ file: related, pointer: '/title' }] }];
    const moved = await moveFindingsToCopies(root, found, () => listDefinitionTexts(root, ['es']));
    return moved.map((one) => [one.file, one.line, one.message, one.related?.[0]?.file]);
  };
  const atCopy = ['schemas/copy/ui.json', 3, 'Y "old".', 'schemas/old/ui.json'];
  expect(await find('old', 'copy')).toEqual([atCopy]);
  expect(await find('copy', 'old')).toEqual([['schemas/copy/ui.json', 2, 'Y "old".', 'schemas/old/ui.json']]);
  expect(await find('old', 'other')).toEqual([['schemas/old/ui.json', 2, 'Y "other".', 'schemas/other/ui.json']]);
});
