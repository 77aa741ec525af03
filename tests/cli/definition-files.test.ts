import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findUntestedFields, findCaseFileProblems } from '../../src/cli/definitions/cases/case-file-problems.ts';
import { addAcceptedValues } from '../../src/cli/definitions/cases/accepted-values.ts';
import { readScreenCases } from '../../src/cli/definitions/cases/screen-cases.ts';
import { isExplained } from '../../src/cli/definitions/is-explained.ts';
import { findInconsistentFacts } from '../../src/cli/definitions/texts/inconsistent-facts.ts';
import { readDeclaredPlaceholders } from '../../src/cli/definitions/texts/mail-placeholders.ts';
import { findMailProblems } from '../../src/cli/definitions/texts/mail-text-problems.ts';
import { findOutdatedTranslations } from '../../src/cli/definitions/texts/outdated-translations.ts';
import { findTextTableProblems } from '../../src/cli/definitions/texts/text-table-problems.ts';
import {
  findSlips,
  findWordingProblems,
  listProjectTexts,
  listDefinitionTexts,
  listTextsOutsideDefinitions,
  omitKnownWords,
} from '../../src/cli/definitions/texts/texts-outside-definitions.ts';
import { findUnknownQuestions, findUnknownTextKeys } from '../../src/cli/definitions/texts/unknown-references.ts';
import { findMisspeltChanges, omitConsequencesOfChanges } from '../../src/cli/definitions/texts/misspelt-changes.ts';
import { readTextChanges } from '../../src/cli/definitions/texts/text-changes.ts';
import { findUnmatchedPageParagraphs } from '../../src/cli/definitions/texts/unmatched-paragraph.ts';
import { findRenamedNames, omitRenamedNames } from '../../src/cli/definitions/texts/renamed-names.ts';
import { findUnknownButtonNames } from '../../src/cli/definitions/texts/unknown-button-names.ts';
import type { WordingRules } from '../../src/engine/compiler/lint/wording/wording-faults.ts';
import { DefinitionLoadCache } from '../../src/engine/compiler/sources/load-cache.ts';
import type { JsonObject, ValuesByName } from '../../src/engine/core/json.ts';
import { root as project } from '../architecture/source-texts.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'files-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}
const es = 'Asunto\n\nHola {{name}}:\n\n[Confirmar]({{confirm}})\n\n[Cancelar]({{cancel}})\n';
const pt = 'Assunto\n\nOlá {{name}}:\n\n[Confirmar]({{confirm}})\n\n[Cancelar]({{cancel}})\n';
const wording = { es: { links: ['este vínculo'] } as unknown as WordingRules };
const mails = async (own: { readonly es?: string; readonly pt?: string; readonly code?: string }) => {
  if (own.code !== undefined) await write({ 'src/server/a/index.ts': own.code });
  await write({ 'src/server/a/mails/call.es.txt': own.es ?? es, 'src/server/a/mails/call.pt.txt': own.pt ?? pt });
  return (await findMailProblems(root, 'es', 'es', wording)).map(
    ({ file, line, message, hint }) => `${file}:${line} ${message} ${hint}`,
  );
};

const code = (names: string): string =>
  `interface MailPlaceholders {\n  /** Notes. */\n  call: Values;\n}\ntype Values = MailPlaceholderValues<${names}>;`;
const declared = code("'name' | 'confirm' | 'cancel'");

test.each([
  [
    'a placeholder in the syntax of screens',
    { es: es.replace('{{name}}', '{name}') },
    /^\S+call\.es\.txt:3 "\{name\}" no es una variable.*\{\{name\}\}.*$/,
  ],
  [
    'a subject with one brace around the code, below which the heading is right',
    {
      es: `{code} es tu código\nTu código\n${es.slice(6)}`,
      pt: `{{code}} é o seu código\nO seu código\n${pt.slice(7)}`,
    },
    /^\S+call\.es\.txt:1 "\{code\}" no es una variable.*$/,
  ],
  [
    'blanks in a placeholder',
    { pt: pt.replace('{{name}}', '{{ name }}') },
    /^\S+call\.pt\.txt:3 "\{\{ name \}\}" no es una variable.*$/,
  ],
  [
    'a placeholder that is not closed',
    { es: es.replace('{{confirm}}', '{{confirm}') },
    /^\S+call\.es\.txt:5 "\{\{confirm\}" no es una variable.*escribí \{\{confirm\}\},.*$/,
  ],
  [
    'a placeholder that only the base language lacks, there',
    { es: es.replace('{{name}}', 'Ana') },
    /^\S+call\.es\.txt:3 Acá falta \{\{name\}\}, que está en \S+call\.pt\.txt.*$/,
  ],
  [
    'two links that differ in order between the languages',
    { es: es.replace('{{confirm}}', '{{x}}').replace('{{cancel}}', '{{confirm}}').replace('{{x}}', '{{cancel}}') },
    /^\S+call\.pt\.txt:5 "\{\{confirm\}\}" y "\{\{cancel\}\}" están al revés que en \S+call\.es\.txt\. Mirá cuál de los dos.*$/,
  ],
  [
    'an announced link that is missing in both languages',
    { es: 'Asunto\n\nAbrí este vínculo:\n', pt: 'Assunto\n\nAbra este link:\n' },
    /^\S+call\.es\.txt:3 Dice "este vínculo", pero en este correo no hay ningún enlace.*$/,
  ],
  [
    'a missing subject',
    { es: es.replace('Asunto', '') },
    /^\S+call\.es\.txt:1 El correo no tiene asunto\. Escribilo en el primer renglón.*$/,
  ],
  [
    'a paragraph directly below the subject',
    { pt: pt.replace('\n\n', '\n') },
    /^\S+call\.pt\.txt:2 "Olá \{\{name\}\}:" está pegado al asunto\. Dejá un renglón en blanco.*$/,
  ],
  [
    'a placeholder that its code does not assign, with those that it does',
    { es: es.replace('{{name}}', '{{nombre}}'), code: `${declared} const nombre = 1;` },
    /^\S+call\.es\.txt:3 Este correo no tiene un valor para \{\{nombre\}\}.*\{\{name\}\}, \{\{confirm\}\}, \{\{cancel\}\}, \{\{product\}\}\.$/,
  ],
  [
    'a value of its code that is written by hand in both languages',
    { es: es.replace('{{name}}', 'Ana'), pt: pt.replace('{{name}}', 'Ana'), code: declared },
    /^\S+call\.es\.txt:1 Este correo no dice \{\{name\}\} en ningún idioma\. Escribilo en el lugar del valor.*$/,
  ],
  [
    'a link without its opening bracket',
    { es: es.replace('[Confirmar]', 'Confirmar]') },
    /^\S+call\.es\.txt:5 "Confirmar\]\(\{\{confirm\}\}\)" no es un enlace de correo.*\[Qué hace\]\(\{\{link\}\}\)\.$/,
  ],
  [
    'a link inside a paragraph',
    { es: es.replace(']({{confirm}})\n', ']({{confirm}})\nGracias.\n') },
    /^\S+call\.es\.txt:5 "\[Confirmar\]\(\{\{confirm\}\}\)" no es un enlace de correo: .* uno en blanco antes y otro después.*$/,
  ],
  [
    'an address that is written out',
    { pt: pt.replace('{{confirm}}', 'http://localhost/x') },
    /^\S+call\.pt\.txt:5 "\[Confirmar\]\(http.*no es un enlace de correo.*$/,
  ],
  [
    'HTML',
    { es: es.replace('Hola', '<b>Hola</b>') },
    /^\S+call\.es\.txt:3 Los correos se muestran como están escritos: "<b>".*Escribí solo texto\.$/,
  ],
  [
    'a paragraph in one language',
    { pt: `${pt}\nObrigado.\n` },
    /^\S+call\.pt\.txt:\d+ En \S+call\.es\.txt falta este párrafo: .*$/,
  ],
  [
    'a placeholder that is in another paragraph in the other language',
    { pt: `${pt}\n{{a}} {{b}}\n\nFim\n`, es: `${es}\n{{a}}\n\n{{b}}\n` },
    /^\S+call\.pt\.txt:9 Este párrafo lleva \{\{a\}\}, \{\{b\}\}, y el de \S+ lleva \{\{a\}\}.*$/,
  ],
  [
    'a link in one language',
    { pt: pt.replace(/\[Cancelar.*/, '') },
    /^\S+call\.pt\.txt:7 Acá falta \{\{cancel\}\}, que está en \S+call\.es\.txt.*$/,
  ],
] as const)('[QA-02] findMailProblems reports once %s', async (_, own, says) => {
  expect((await mails(own)).join('\n')).toMatch(says);
});

test('[QA-02] findMailProblems reports once a subject that was copied from a mail of another folder', async () => {
  await write({ 'src/server/b/mails/other.es.txt': es, 'src/server/b/mails/other.pt.txt': pt });
  await write({
    'src/server/b/mails/third.es.txt': '{{subject}}\n',
    'src/server/b/mails/third.pt.txt': '{{subject}}\n',
  });
  expect(await mails({})).toEqual([
    'src/server/b/mails/other.es.txt:1 "Asunto" es también el asunto de src/server/a/mails/call.es.txt. Escribí en cada asunto de qué trata ese correo.',
  ]);
  await write({
    'src/server/b/mails/other.es.txt': es.replace('Asunto', 'Otro'),
    'src/server/b/mails/other.pt.txt': pt.replace('Assunto', 'Outro'),
  });
  await write({ 'src/server/a/mails/fourth.es.txt': es, 'src/server/a/mails/fourth.pt.txt': pt });
  expect(await mails({})).toEqual([]);
});

test('[QA-02] findMailProblems reports once a value by hand in place of its placeholder, beside which its other faults are silent', async () => {
  const own = { es: { ...rules, spans: { horas: 60 }, counts: ['dos'] } };
  const fill = (text: string) => es.replace('{{name}}', text);
  const find = async (spanish: string, portuguese: string) => {
    await mails({ es: spanish, pt: portuguese, code: declared });
    const found = await findMailProblems(root, 'es', 'es', own);
    return found.map(({ rule, file, line, column, message, hint }) =>
      [rule, `${file}:${line}:${column}`, message, hint].join(' '),
    );
  };
  const both = 'no usa {{name}}. Escribí {{name}} acá y en el .pt.txt.';
  expect(await find(fill('36 horas'), fill('36 horas'))).toEqual([
    `text/placeholder src/server/a/mails/call.es.txt:3:6 Este correo dice "36 horas" y ${both}`,
  ]);
  expect(await find(fill('a dos horas'), fill('duas horas'))).toEqual([
    `text/placeholder src/server/a/mails/call.es.txt:3:8 Este correo dice "dos horas" y ${both}`,
  ]);
  expect(await find(fill('a@b.uy'), fill('a@b.uy'))).toEqual([
    `text/placeholder src/server/a/mails/call.es.txt:3:6 Este correo dice "a@b.uy" y ${both}`,
  ]);
  expect(await find(fill('36 horas'), pt)).toEqual([
    'text/placeholder src/server/a/mails/call.es.txt:3:6 Este correo dice "36 horas" y no usa {{name}}. Escribí {{name}} acá, como en src/server/a/mails/call.pt.txt.',
  ]);
  const shared = await find(`${es}\nSon 3.\n`, `${pt.replace('{{name}}', '')}\nSão 3.\n`);
  expect(shared).toEqual([expect.stringMatching(/^text\/pair .*Acá falta \{\{name\}\}/)]); // the number is in both mails, so it is not the value
  const place = { severity: 'W', line: 1, column: 1, pointer: '', message: '', hint: '' } as const;
  const cause = { ...place, rule: 'text/placeholder', file: 'mails/a.es.txt' };
  const isSilent = (rule: string, file: string) => isExplained({ ...place, rule, file, line: 9 }, [cause]);
  expect(['text/limit', 'text/hours'].map((rule) => isSilent(rule, 'mails/a.pt.txt'))).toEqual([true, true]);
  expect([isSilent('text/limit', 'mails/b.pt.txt'), isSilent('text/name', 'mails/a.pt.txt')]).toEqual([false, false]);
});

test('[QA-02] findMailProblems quotes the paragraph of a mail that its translation lacks', async () => {
  const added = 'Guardá este correo por si lo necesitás. Nadie más lo recibe.';
  const other = ['Clave', 'Abrí la videollamada.', 'El vínculo vence hoy.', 'Si no fuiste vos, avisanos.'];
  const translated = ['Senha', 'Abra a videochamada.', 'O link vence hoje.', 'Se não foi você, avise.'];
  const find = async (original: readonly string[], translation: readonly string[]) =>
    await mails({ es: `${original.join('\n\n')}\n`, pt: `${translation.join('\n\n')}\n` });
  for (const index of [1, 2, 3, 4]) {
    const place = `src/server/a/mails/call.es.txt:${2 * index + 1}`;
    expect(await find(other.toSpliced(index, 0, added), translated)).toEqual([
      `${place} En src/server/a/mails/call.pt.txt falta este párrafo: "Guardá este correo por si lo necesitás.". Agregalo ahí, o quitalo acá.`,
    ]);
  }
  expect(await find(other, translated.toSpliced(3, 0, 'Guarde este e-mail.'))).toEqual([
    expect.stringMatching(/call\.pt\.txt:7 En \S+call\.es\.txt falta este párrafo: "Guarde este e-mail\."/),
  ]);
});

test('[QA-02] findMailProblems reports once a mail whose first line is the salutation of other mails', async () => {
  await write({ 'src/server/b/mails/end.es.txt': es, 'src/server/b/mails/end.pt.txt': pt.replace('Assunto', 'Fim') });
  expect(await mails({ es: es.replace('Asunto\n\n', '') })).toEqual([
    'src/server/a/mails/call.es.txt:1 El correo no tiene asunto: el primer renglón es "Hola {{name}}:". Escribilo en el primer renglón, seguido de uno en blanco.',
  ]);
});

test('[QA-02] findMailProblems reports a mail that is missing in a language', async () => {
  await write({ 'src/server/a/mails/done.es.txt': es });
  expect((await mails({})).join('\n')).toMatch(/^\S+done\.es\.txt:1 Falta \S+done\.pt\.txt: .*Traducí este archivo.*$/);
});

const names = [{ use: 'continuar', not: { seguir: 'continuar' } }];
const calendar = { weekdays: { lunes: 1 }, months: { abril: 4 } };
const rules = {
  longest: 25,
  plain: {},
  voice: {},
  names,
  blame: {},
  advice: [],
  quoted: [],
  calendar,
  until: ['hasta el'],
};
const help = 'src/server/features/content/es/preguntas/como.md';
const sentences = 'Mirá tu correo electrónico. '.repeat(6);

test.each([
  [
    'a button that does not exist',
    'Tocá **Siguiente**.',
    /^6:6 text\/button Ningún botón ni texto se llama "Siguiente"\..*$/,
  ],
  [
    'a button by another name of the project once, with its name here',
    'Tocá **Seguir**.',
    /^6:6 text\/button Ningún botón ni texto se llama "Seguir"\. ¿Quisiste decir "Continuar"\?.*$/,
  ],
  ['a quoted text that does not exist', 'Tocá «Continuara».', /^6:6 text\/button .*¿Quisiste decir "Continuar"\?.*$/],
  [
    'letters in another encoding',
    'La inscripciÃ³n',
    /^6:1 text\/typed .*contiene "Ã³": se guardó con otra codificación.*$/,
  ],
  ['a doubled letter', 'Mirá tu corrreo', /^6:9 text\/spelling Acá dice "corrreo"\..*"correo".*$/],
  [
    'a missing accent, although a field name has the word without it',
    'Mirá tu correo electronico',
    /^6:16 text\/spelling Acá dice "electronico"\..*"electrónico".*$/,
  ],
  [
    'a deadline that has passed',
    'Vale hasta el 3 de abril de 2025.',
    /^6:1 rule\/past La fecha de "hasta el 3 de abril de 2025" ya pasó\./,
  ],
  ['nothing in a deadline without a year', 'Vale hasta el 3 de abril.', /^$/],
  ['nothing in correct texts', '**Antes:** tocá **Continuar** o «Continuar».', /^$/],
])('[QA-02] the check of texts outside of definitions reports %s in a help page', async (_, text, says) => {
  await write({
    'schemas/a/ui.json': '{ "correo_electronico": "Tu correo electrónico", "actions": [{ "text": "Continuar" }] }',
    [help]: `---\ntitulo: Cosas\n---\n${sentences}\n\n${text}\n`,
    'plugins/a/texts.json': '{}',
  });
  const all = [
    ...(await findWordingProblems(root, { es: rules }, 'es')),
    ...(await omitKnownWords(root, await findSlips(root, { es: rules }, 'es'), ['es'], listDefinitionTexts)),
    ...findUnknownButtonNames(await listProjectTexts(root, ['es']), { es: rules }, 'es'),
  ];
  const found = all.filter((problem) => !isExplained(problem, all));
  expect(
    found.map((own) => `${own.line}:${own.column} ${own.rule ?? ''} ${own.message} ${own.hint}`).join('\n'),
  ).toMatch(says);
});

test('[QA-02] findUnknownButtonNames reports a button of the page that a mail links to, even if the link has its name', async () => {
  await write({
    'src/server/a/mails/a.es.txt':
      'Asunto\n\nAbrí este vínculo y tocá «Confirmar correo»:\n\n[Confirmar correo]({{link}})\n',
    'src/server/a/mails/b.es.txt': 'Asunto\n\nSi no, tocá «Confirmar correo»:\n\n[Confirmar correo]({{link}})\n',
    'plugins/a/texts.json': '{}',
  });
  const own = { es: { ...rules, press: ['tocá'], links: ['este vínculo'] } };
  const find = async (button: string) => {
    await write({ 'schemas/a/ui.json': JSON.stringify({ actions: [{ text: button }] }) });
    const texts = await listProjectTexts(root, ['es']);
    return findUnknownButtonNames(texts, own, 'es').map(({ file, line }) => `${file}:${line}`);
  };
  expect(await find('Confirmar correo')).toEqual([]);
  expect(await find('Terminar')).toEqual(['src/server/a/mails/a.es.txt:3']);
});

test('[QA-02] findUnknownButtonNames suggests the only link of a mail whose text has changed', async () => {
  const find = async (...links: readonly string[]) => {
    const lines = links.map((link) => `\n[${link}]({{undo}})\n`).join('');
    await write({
      'src/server/a/mails/a.es.txt': `Asunto\n\nSi no, tocá «No fui yo».\n${lines}`,
      'schemas/a/ui.json': JSON.stringify({ actions: [{ text: 'No fui yo, proteger mi cuenta' }] }),
      'plugins/a/texts.json': '{}',
    });
    const texts = await listProjectTexts(root, ['es']);
    return findUnknownButtonNames(texts, { es: { ...rules, press: ['tocá'] } }, 'es').map(({ hint }) => hint);
  };
  expect(await find('Terminar')).toEqual(['¿Quisiste decir "Terminar"? Escribí el texto exacto del botón.']);
  expect((await find('Terminar', 'Volver')).join('')).not.toContain('Terminar');
});

test('[QA-02] findUnknownButtonNames suggests no button of another language, and accepts none', async () => {
  const mail = (text: string) => `${text}\n\n${text} «Ativar conta»\n`;
  await write({
    'schemas/a/ui.json': JSON.stringify({ actions: [{ text: 'Activar' }] }),
    'schemas/a/ui.pt.json': JSON.stringify({ actions: { submit: 'Ativar conta' } }),
    'src/server/a/mails/a.es.txt': mail('Asunto'),
    'src/server/a/mails/a.pt.txt': mail('Assunto'),
    'plugins/a/texts.json': '{}',
  });
  const texts = await listProjectTexts(root, ['es', 'pt']);
  const found = findUnknownButtonNames(texts, { es: rules, pt: rules }, 'es');
  expect(found.map(({ file, hint }) => `${file} ${hint}`)).toEqual([
    'src/server/a/mails/a.es.txt Escribí el texto exacto del botón.',
  ]);
});

test('[QA-02] findRenamedNames reports each text that names a renamed button or label, in its language', async () => {
  const screen = (button: string, label: string) => ({
    'schemas/a/ui.json': JSON.stringify({
      fields: { dni: { 'ui:title': label } },
      actions: [
        { event: 'other', text: 'Otra' },
        { event: 'submit', text: button },
      ].slice(label === 'DNI' ? 0 : 1),
    }),
  });
  const others = {
    'schemas/a/ui.pt.json': '{ "actions": { "other": "Outra", "submit": "Activar cuenta" } }',
    'schemas/b/ui.json': '{\n "intro": "Después tocá «Activar cuenta»." }',
    'schemas/b/ui.pt.json': '{ "intro": "Toque em “Activar cuenta”." }',
    'src/server/a/mails/a.es.txt': 'Asunto\n\nTocá «Activar cuenta»:\n\n[Activar cuenta]({{link}})\n',
    'src/server/features/content/es/preguntas/a.md': 'Escribí «DNI».\n\nTocá **Activar cuenta**.\n',
    'plugins/a/texts.json': '{}',
  };
  const find = async () =>
    (await findRenamedNames(readTextChanges(root, ['es', 'pt']), 'es', () => listProjectTexts(root, ['es', 'pt']))).map(
      ({ file, line, column, message, hint }) => `${file}:${line}:${column} ${message} ${hint}`,
    );
  await write({ ...screen('Activar cuenta', 'DNI'), ...others });
  commitAll();
  await write(screen('Confirmar cuenta', 'Cédula'));
  const [button, label] = [
    'El botón "Activar cuenta" de schemas/a/ui.json ahora se llama "Confirmar cuenta". Escribilo así.',
    'El texto "DNI" de schemas/a/ui.json ahora dice "Cédula". Escribilo así.',
  ];
  expect((await find()).sort()).toEqual([
    `schemas/b/ui.json:2:2 ${button}`,
    `src/server/a/mails/a.es.txt:3:6 ${button}`,
    `src/server/features/content/es/preguntas/a.md:1:9 ${label}`,
    `src/server/features/content/es/preguntas/a.md:3:6 ${button}`,
  ]);
  await write({ 'schemas/c/ui.json': '{ "actions": [{ "event": "go", "text": "Activar cuenta" }], "title": "DNI" }' });
  expect(await find()).toEqual([]);
  const [found] = [
    { rule: 'text/button', severity: 'W', file: 'a', line: 1, column: 1, pointer: '', hint: '' },
  ] as const;
  const unknown = [
    { ...found, message: 'No "A"' },
    { ...found, message: 'No "B"' },
  ];
  expect(omitRenamedNames(unknown, [{ ...found, message: 'The "A" is now "B"' }])).toEqual(unknown.slice(1));
});

test('[QA-02] findMisspeltChanges reports a changed word that no other text has, and no inflected form', async () => {
  const screen = (title: string, intro = 'Creá tu clave.') => ({
    'schemas/a/ui.json': JSON.stringify({ title, intro }),
    'schemas/a/ui.pt.json': JSON.stringify({ title: 'Veja as suas senhas', intro: 'Crie a sua senha.' }),
    'plugins/a/texts.json': '{}',
  });
  const find = async () => {
    const found = await findMisspeltChanges(readTextChanges(root, ['es', 'pt']), 'es', () =>
      listProjectTexts(root, ['es', 'pt']),
    );
    return found.map(({ file, pointer, line, message }) => `${file} ${pointer || line} ${message}`);
  };
  const page = 'src/server/features/content/es/preguntas/a.md';
  await write({ ...screen('Mirá tus cuentas'), [page]: 'Uno.\n\nGuardá el código.\n' });
  commitAll();
  for (const title of ['Mirá tus cuenta', 'Mirá tus cuentos', 'Mirá tus claves', 'Mirá tus otras cuentas'])
    expect((await write(screen(title)), await find()), title).toEqual([]);
  await write({ ...screen('Mirá tus cunetas'), [page]: 'Uno.\n\nGuardá el cóigo.\n' });
  expect(await find()).toEqual([
    'schemas/a/ui.json /title Acá dice "cunetas", y antes decía "cuentas".',
    `${page} 3 Acá dice "cóigo", y antes decía "código".`,
  ]);
  await write({ ...screen('Mira tus cuentas', 'Mira tu clave.'), [page]: 'Uno.\n\nGuardá el código.\n' });
  expect(await find()).toEqual(['schemas/a/ui.json /title Acá dice "Mira", y antes decía "Mirá".']);
  await write({ ...screen('Mirá tus {cunetas}'), [page]: 'Uno.\n\nGuardá el código.\n' });
  expect(await find()).toEqual([]); // other checks read placeholders
  await write(screen('Mirá tus cunetas', 'Hay cunetas.'));
  expect((await find()).filter((line) => line.includes('cunetas'))).toEqual([]);
  const cause = { rule: 'text/spelling', file: 'a.json', line: 3, column: 1, pointer: '/title', message: '', hint: '' };
  const found = [
    { ...cause, rule: 'text/pair', file: 'a.pt.json', related: [{ file: 'a.json', pointer: '/title' }] },
    { ...cause, rule: 'text/name', pointer: '/intro' },
    { ...cause, rule: 'ui/twice' },
  ];
  expect(omitConsequencesOfChanges(found, [cause])).toEqual(found.slice(1));
});

test('[QA-02] findUnmatchedPageParagraphs names the paragraph that a page lacks in the other language', async () => {
  const page = (language: string) => `src/server/features/content/${language}/preguntas/a.md`;
  const [spanish, portuguese] = ['Abrí la página.\n\nGuardá el código.\n', 'Abra a página.\n\nGuarde o código.\n'];
  const find = async (es: string, pt: string) => {
    await write({ [page('es')]: `---\ntitulo: A\n---\n${es}`, [page('pt')]: `---\ntitulo: A\n---\n${pt}` });
    const found = await findUnmatchedPageParagraphs(root, ['es', 'pt'], 'es');
    return found.map(({ file, line, message }) => `${file}:${line} ${message}`);
  };
  expect(await find(spanish, portuguese)).toEqual([]);
  expect(await find(`${spanish}\nProbá otra vez.\n`, portuguese)).toEqual([
    `${page('es')}:8 En ${page('pt')} falta este párrafo: "Probá otra vez.".`,
  ]);
});

test('[QA-02] omitKnownWords accepts a word that other texts in its language have, also in another form', async () => {
  await write({ [help]: `---\ntitulo: Cosas\n---\n${sentences}\n\nMirá tu corrreo\n`, 'plugins/a/texts.json': '{}' });
  const slips = await findSlips(root, { es: { ...rules, inflections: { o: ['os'] } } }, 'es');
  const keep = async (title: string, file = 'ui.json') => {
    await write({ [`schemas/a/${file}`]: JSON.stringify({ title }) });
    return (await omitKnownWords(root, slips, ['es', 'pt'], listDefinitionTexts)).length;
  };
  expect(await keep('Otra cosa')).toBe(1);
  expect(await keep('Corrreo', 'ui.pt.json')).toBe(1);
  expect(await keep('Corrreos')).toBe(0);
  const place = { file: 'schemas/a/ui.json', line: 1, column: 1, pointer: '', message: '', hint: '' };
  const ofScreen = [{ ...place, wordForms: ['mirá'] }, place];
  expect(await omitKnownWords(root, ofScreen, ['es'], listTextsOutsideDefinitions)).toEqual([place]);
});

test('[QA-02] isExplained keeps one finding of those that compare the same texts, and none beside another mistake', () => {
  const found = (rule: string) => ({
    rule,
    severity: 'W' as const,
    file: 'a',
    line: 1,
    column: 1,
    pointer: '',
    message: '',
    hint: '',
  });
  const keep = (...rules: readonly string[]) => {
    const all = rules.map(found);
    return all.filter((problem) => !isExplained(problem, all)).map(({ rule }) => rule);
  };
  expect(keep('text/outdated', 'text/fact', 'text/pair')).toEqual(['text/pair']);
  expect(keep('text/outdated', 'text/fact')).toEqual(['text/fact']);
  expect(keep('text/outdated', 'text/pair', 'text/spelling')).toEqual(['text/spelling']);
  expect(keep('text/plain', 'text/voice', 'text/name', 'text/language', 'text/same')).toEqual(['text/same']);
  expect(keep('text/plain', 'text/voice', 'text/language', 'text/link')).toEqual(['text/language', 'text/link']);
  expect(keep('text/same', 'text/swapped')).toEqual(['text/swapped']);
  const outdated = { ...found('text/outdated'), file: 'a.pt', related: [{ file: 'a', pointer: '' }] };
  expect(isExplained(outdated, [{ ...found('text/again'), severity: 'N' }, outdated])).toBe(false);
  expect(isExplained(outdated, [found('text/spelling'), outdated])).toBe(true);
  expect(isExplained(outdated, [found('text/advice'), outdated])).toBe(false);
  expect(isExplained(outdated, [{ ...found('text/voice'), pointer: '/title' }, outdated])).toBe(false);
});

const table = (es: object, pt: object = es): string =>
  JSON.stringify({
    ...Object.fromEntries('abcdefgh'.split('').map((key) => [key, { es: texts, pt: texts }])),
    x: { es, pt },
  });
const texts = { subject: 'Hola {{name}}', sentence: 'Algo' };
const tableProblems = async (text: string) => {
  await write({
    'src/server/a/mails/warnings.json': text,
    'src/server/a/mails/warning.es.txt': '{{subject}}',
    'src/server/a/index.ts': code("'name'").replace('call:', 'warning:'),
    'plugins/a/texts.json': '{ "es": { "a": "A" }, "pt": { "a": "A" } }',
  });
  return (await findTextTableProblems(root, ['es', 'pt'], 'es')).map(
    ({ pointer, message, hint }) => `${pointer} ${message} ${hint}`,
  );
};

test('[QA-02] findTextTableProblems names the placeholder that a misspelt one means, and not that it is missing', async () => {
  const found = await tableProblems(
    table({ subject: 'Hola {{nombre}}', sentence: 'Algo' }, { subject: 'Olá {{name}}', sentence: 'Algo' }),
  );
  expect(found).toEqual([
    expect.stringMatching(/^\/x\/es\/subject .*\{\{nombre\}\}.*¿Quisiste decir "\{\{name\}\}"\?/),
  ]);
});

const noWordingRules = {
  longest: 99,
  plain: {},
  voice: {},
  names: [],
  blame: {},
  advice: [],
  quoted: [],
} as unknown as WordingRules;

test('[QA-02] findWordingProblems reports once two texts that are each in the language of the other', async () => {
  const texts = (es: string, pt: string) => ({ es: { subject: es }, pt: { subject: pt } });
  const right = {
    changed: texts('Se cambió tu contraseña', 'A sua senha foi alterada'),
    closed: texts('Se cerraron tus sesiones', 'As suas sessões foram encerradas'),
    opened: texts('Se abrieron tus sesiones', 'As suas sessões foram abertas'),
    lost: texts('Se perdió tu contraseña', 'A sua senha foi perdida'),
    asked: texts('Se pidió tu contraseña', 'A sua senha foi pedida'),
    sent: texts('Se envió tu mensaje', 'A sua mensagem foi enviada'),
    same: texts('Portal', 'Portal'),
  };
  const strict = { ...noWordingRules, foreign: ['senha', 'sua'] };
  const find = async (table: object) => {
    await write({ 'plugins/a/texts.json': '{}', 'src/server/a/mails/notices.json': JSON.stringify(table, null, 2) });
    const found = await findWordingProblems(root, { es: strict, pt: { ...noWordingRules, same: ['portal'] } }, 'es');
    return found.map(({ rule, pointer, message, hint }) => `${rule ?? ''} ${pointer} ${message} ${hint}`);
  };
  expect(await find(right)).toEqual([]);
  const { es, pt } = right.changed;
  expect(await find({ ...right, changed: texts(pt.subject, es.subject) })).toEqual([
    'text/swapped /changed/pt/subject Este texto y src/server/a/mails/notices.json:4 están cada uno en el idioma del otro. Intercambialos.',
  ]);
});

test('[QA-02] findInconsistentFacts reports a name, a law and a number of days that differ from the other texts', async () => {
  const intro = (...texts: readonly string[]) => JSON.stringify({ intro: texts }, null, 1);
  const usual = [
    'Ley 18.331. Pasás a nivel Intermedio. Hora oficial de Uruguay.',
    'Pasás a nivel Intermedio.',
    'Pasás a nivel AA.',
  ];
  const files = {
    'plugins/a/texts.json': '{}',
    'src/server/a/mails/a.es.txt': 'Asunto\n',
    'schemas/a/ui.json': intro(...usual, ...usual, ...usual, 'Pedí el nivel Básico.', 'Básico'),
    'schemas/b/ui.json': intro('Tenés 30 días para volver.', 'Después de los 30 días se borra. Son 7 días hábiles.'),
  };
  const rules = { ...noWordingRules, articles: [[], [], ['los'], ['las']], counts: ['ocho', 'diez'] };
  const find = async (changed: Readonly<Record<string, string>>) => {
    await write({ ...files, ...changed });
    const found = findInconsistentFacts(await listProjectTexts(root, ['es']), { es: rules }, 'es');
    return found.map(({ rule, file, line, message }) => `${rule ?? ''} ${file}:${line} ${message}`);
  };
  expect(await find({})).toEqual([]);
  expect(await find({ 'src/server/a/mails/a.es.txt': 'Asunto\n\nPor la ley 18.313 pasás a nivel Medio.\n' })).toEqual([
    'text/fact src/server/a/mails/a.es.txt:3 Solo este texto dice "nivel Medio": otros 6 dicen "nivel Intermedio".',
    'text/fact src/server/a/mails/a.es.txt:3 Solo este texto dice "18.313": otros 3 dicen "18.331".',
  ]);
  expect(
    await find({
      'schemas/b/ui.json': files['schemas/b/ui.json'].replace('30', '10'),
    }),
  ).toEqual(['text/fact schemas/b/ui.json:4 Acá se habla de "30 días", pero schemas/b/ui.json:3 dice "10 días".']);
  const question = (name: string) => `src/server/features/content/es/preguntas/${name}.md`;
  const questions = { [question('a')]: 'Guardá los diez códigos.\n', [question('b')]: 'Son diez códigos.\n' };
  expect(await find(questions)).toEqual([]);
  expect(await find({ ...questions, [question('b')]: 'Son ocho códigos.\n' })).toEqual([
    `text/fact ${question('a')}:1 Acá se habla de "diez códigos", pero ${question('b')}:1 dice "ocho códigos".`,
  ]);
});

function commitAll(): void {
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=QA', '-c', 'user.email=qa@example.org', ...words], { cwd: root });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
}

test('[QA-02] findOutdatedTranslations notes a translation that stays as committed although its original changed', async () => {
  const [screen, content] = ['schemas/turno', 'src/server/features/content'];
  const ui = (title: string, submit: string) =>
    JSON.stringify({ title, intro: ['Un día.'], actions: [{ event: 'submit', text: submit }] }, null, 1);
  const files = {
    [`${screen}/ui.json`]: ui('Tu turno', 'Continuar'),
    [`${screen}/ui.pt.json`]:
      '{ "title": "O seu horário", "intro": ["Um dia."],\n "actions": { "submit": "Continuar" } }',
    'plugins/a/texts.json': '{ "es": { "a": "Hola", "b": "Chau" }, "pt": { "a": "Olá",\n "b": "Tchau" } }',
    [`${content}/es/preguntas/a.md`]: 'Uno.\n\nDos.\n',
    [`${content}/pt/preguntas/a.md`]: 'Um.\n\nDois.\n',
  };
  const find = async () =>
    findOutdatedTranslations(readTextChanges(root, ['es', 'pt']), 'es', 'es').map(
      ({ rule, severity, file, line, message, hint }) => `${severity} ${rule} ${file}:${line} ${message} ${hint}`,
    );
  await write(files);
  expect(await find()).toEqual([]); // without git
  commitAll();
  await write({
    [`${screen}/ui.json`]: ui('¡Tu turno!', 'Seguir'),
    'plugins/a/texts.json': files['plugins/a/texts.json']
      .replace('Chau', 'Hasta luego')
      .replace('Hola', 'Buenas')
      .replace('Olá', 'Oi'),
    [`${content}/es/preguntas/a.md`]: 'Uno.\n\nTres.\n',
  });
  const note = (place: string, text: string) =>
    `N text/outdated ${place} El original de esta traducción ahora dice "${text}", y la traducción no cambió. Traducila de nuevo si cambió lo que dice.`;
  expect(await find()).toEqual([
    note('plugins/a/texts.json:2', 'Hasta luego'),
    note(`${screen}/ui.pt.json:2`, 'Seguir'),
    note(`${content}/pt/preguntas/a.md:3`, 'Tres.'),
  ]);
  await write({ ...files, [`${content}/es/preguntas/a.md`]: 'Uno.\n\nDos. Llegá antes.\n' });
  expect(await find()).toEqual([
    `W text/incomplete ${content}/pt/preguntas/a.md:3 El original de esta traducción ahora dice "Llegá antes.", y la traducción no cambió. Traducila de nuevo si cambió lo que dice.`,
  ]);
  await write({ ...files, [`${screen}/ui.json`]: ui('Tu turno', 'Contniuar') });
  expect(await find()).toEqual([
    `N text/outdated ${screen}/ui.pt.json:2 El original de esta traducción ahora dice "contniuar", y antes decía "continuar". Corregilo si está mal escrito. Si no, traducila de nuevo si cambió lo que dice.`,
  ]);
});

test.each(['es', 'pt'])(
  '[QA-02] findWordingProblems reports once two texts that are exchanged in %s, without blaming a language',
  async (wrong) => {
    const subjects = { es: ['Se activó', 'Se desactivó'], pt: ['Foi ativado', 'Foi desativado'] };
    const own = { ...subjects, [wrong]: subjects[wrong as 'es' | 'pt'].toReversed() };
    const texts = (index: number) => ({ es: { subject: own.es[index] }, pt: { subject: own.pt[index] } });
    const table = { added: texts(0), removed: texts(1) };
    await write({ 'plugins/a/texts.json': '{}', 'src/server/a/mails/notices.json': JSON.stringify(table, null, 2) });
    const terms = { 'activ*': 'ativ*', 'desactiv*': 'desativ*' };
    const rules = { ...noWordingRules, terms };
    const found = await findWordingProblems(root, { es: rules, pt: rules }, 'es');
    expect(found.map(({ rule, pointer, message, hint }) => `${rule ?? ''} ${pointer} ${message} ${hint}`)).toEqual([
      `text/exchanged /added/pt/subject "${own.pt[0] ?? ''}" y "${own.pt[1] ?? ''}" están al revés que en src/server/a/mails/notices.json:4. Mirá cuál de los dos idiomas está mal, e intercambialos en ese.`,
    ]);
  },
);

test('[QA-02] findWordingProblems reports a title of a help page and a subject of a mail that are not translated or say the opposite', async () => {
  const page = (title: string) => `---\ntitulo: ${title}\norden: 1\n---\nHola\n`;
  const folder = 'src/server/features/content';
  await write({
    [`${folder}/es/preguntas/a.md`]: page('Perdí el celular'),
    [`${folder}/pt/preguntas/a.md`]: page('Perdí el celular'),
    [`${folder}/es/preguntas/b.md`]: page('Portal'),
    [`${folder}/pt/preguntas/b.md`]: page('Portal'),
    'plugins/a/texts.json': '{}',
    'src/server/a/mails/call.es.txt': 'Tu videollamada\n\nHola\n',
    'src/server/a/mails/call.pt.txt': 'Tu videollamada\n\nHola\n',
    'src/server/a/mails/status.es.txt': 'Se desactivó la cuenta\n\nHola\n',
    'src/server/a/mails/status.pt.txt': 'A conta foi ativada\n\nHola\n',
  });
  const terms = { 'activ*': 'ativ*', 'desactiv*': 'desativ*' };
  const own = (same: readonly string[]) => ({ ...noWordingRules, terms, same });
  const found = await findWordingProblems(root, { es: own([]), pt: own(['portal', 'hola']) }, 'es');
  expect(found.map(({ rule, file, line, message }) => `${rule ?? ''} ${file}:${line} ${message}`)).toEqual([
    `text/same src/server/a/mails/call.pt.txt:1 "Tu videollamada" está sin traducir.`,
    `text/pair src/server/a/mails/status.pt.txt:1 No dice lo mismo que en "es": allí desactivó, acá ativada.`,
    `text/same ${folder}/pt/preguntas/a.md:2 "Perdí el celular" está sin traducir.`,
  ]);
});

test('[QA-02] findSlips reports a list mark pasted into a mail or a help page, and accepts lists of Markdown', async () => {
  await write({
    'src/server/a/mails/a.es.txt': 'Asunto\n\n- Hola\n\n\u2022 Si no fuiste vos, avisanos.\n\n\u2014 El equipo\n',
    [help]: '---\ntitulo: Así\n---\n- Uno\n* Dos\n\u00b7 Tres\n',
    'plugins/a/texts.json': '{}',
  });
  const found = await findSlips(root, { es: noWordingRules }, 'es');
  expect(found.map(({ rule, file, line, message }) => `${rule ?? ''} ${file}:${line} ${message}`)).toEqual([
    'text/typed src/server/a/mails/a.es.txt:5 Este texto empieza con una viñeta.',
    `text/typed ${help}:6 Este texto empieza con una viñeta.`,
  ]);
});

test('[QA-02] findWordingProblems reports an untranslated paragraph, even of a document with another number of lines', async () => {
  const paragraph = 'Si no lo pediste vos, no hagas nada: tu contraseña sigue igual.';
  await write({
    'src/server/a/mails/reset.es.txt': `Clave\n\nHola\n\n${paragraph}\n`,
    'src/server/a/mails/reset.pt.txt': `Senha\n\n${paragraph}\n`,
    'plugins/a/texts.json': '{}',
  });
  const voice = { tu: 'você' };
  const all = await findWordingProblems(root, { es: noWordingRules, pt: { ...noWordingRules, voice, same: [] } }, 'es');
  expect(all.map(({ rule }) => rule)).toEqual(['text/voice', 'text/same']);
  const found = all.filter((problem) => !isExplained(problem, all));
  expect(found.map(({ line, message, hint }) => `${line} ${message} ${hint}`)).toEqual([
    `3 Este párrafo está sin traducir: "${paragraph}". Traducilo.`,
  ]);
});

test('[QA-02] findWordingProblems reports a paragraph pasted from another document, an address as text and a repeated title', async () => {
  const page = (title: string, ...lines: readonly string[]) => `---\ntitulo: ${title}\n---\n${lines.join('\n')}\n`;
  const folder = 'src/server/features/content';
  await write({
    [`${folder}/es/preguntas/a.md`]: page('Portal', 'Copiá el código del celular.', 'Andá a /registro.'),
    [`${folder}/pt/preguntas/a.md`]: page('Portal', 'Copie o código do celular.', 'Vá a [Registro](/registro).'),
    [`${folder}/es/preguntas/b.md`]: page('Portal', 'Pedí un vínculo nuevo por correo.'),
    [`${folder}/pt/preguntas/b.md`]: page('Outro', 'Copie o código do celular.'),
    'plugins/a/texts.json': '{}',
  });
  const own = { ...noWordingRules, same: ['portal'] };
  const found = await findWordingProblems(root, { es: own, pt: own }, 'es', { paths: ['/registro'] });
  expect(found.map(({ rule, file, line, message }) => `${rule ?? ''} ${file}:${line} ${message}`)).toEqual([
    `text/link ${folder}/es/preguntas/a.md:5 "/registro" es la dirección de una página, y este texto no enlaza con ella.`,
    `ui/twice ${folder}/es/preguntas/b.md:2 "Portal" es también el título de ${folder}/es/preguntas/a.md.`,
    `text/exchanged ${folder}/pt/preguntas/b.md:4 "Copie o código do celular." es la traducción de "Copiá el código del celular." en ${folder}/es/preguntas/a.md, pero este texto es "Pedí un vínculo nuevo por correo.".`,
  ]);
});

test('[QA-02] findUnknownQuestions reports a link of a screen to a question that the help does not have', async () => {
  const link = (to: string) => JSON.stringify({ intro: [{ text: 'A', link: { to, text: 'B' } }] });
  await write({
    'src/server/features/content/es/preguntas/no-puedo-entrar.md': '',
    'flows/ayuda.json': '{ "states": { "otra": { "path": "/ayuda/otra" } } }',
    'schemas/a/ui.json': link('/ayuda/no-puedo-ingresar'),
    'schemas/b/ui.json': link('/ayuda/no-puedo-entrar?de=b'),
    'schemas/c/ui.json': link('/ayuda/otra'),
    'schemas/d/ui.json': link('/ayuda'),
  });
  const found = await findUnknownQuestions(root, 'es');
  expect(found.map(({ file, pointer, message, hint }) => `${file}#${pointer} ${message} ${hint}`)).toEqual([
    'schemas/a/ui.json#/intro/0/link/to No existe la pregunta "no-puedo-ingresar". ¿Quisiste decir "no-puedo-entrar"? Nombrá el archivo de una pregunta, sin ".md".',
  ]);
});

test('[QA-02] findUnknownTextKeys reports once a key that only the code has, with its new name', async () => {
  const find = async (texts: object) => {
    await write({
      'schemas/_shared/texts/account.json': JSON.stringify({
        'level.basic': 'B',
        'calls.title': 'A',
        'calls.faile': 'F',
        ...texts,
      }),
      'schemas/_shared/texts/account.pt.json': '{}',
      'src/portal/calls.tsx':
        "t(state === 'calls.none' ? 'calls.failed' : 'calls.title'); t('calls.failed', { n: 1 });",
      'src/portal/level.tsx': "t(`level.${level}`); t(`level.${level}.text`); t('menu'); closest('calls.open');",
      'src/portal/level.test.tsx': "t('level.other');",
      'src/desk/day.tsx': "getDeskText('calls.failed'); choose('faile');",
      'src/video-room/room.tsx': '',
    });
    const found = await findUnknownTextKeys(root, 'es');
    return found.map(({ file, pointer, message, hint }) => `${file}#${pointer} ${message} ${hint}`);
  };
  expect(await find({ menu: 'M', 'calls.failed': 'No se pudo.' })).toEqual([]);
  expect(await find({ menu: 'M', 'calls.fallo': 'No se pudo.' })).toEqual([
    'schemas/_shared/texts/account.json#/calls.fallo El portal muestra el texto "calls.failed", que acá falta. Escribí "calls.failed" en lugar de "calls.fallo", en todos los idiomas.',
  ]);
  expect(await find({ 'calls.failed': 'No se pudo.' })).toEqual([
    'schemas/_shared/texts/account.json# El portal muestra el texto "menu", que acá falta. Escribilo de nuevo, en todos los idiomas.',
  ]);
  expect(await findUnknownTextKeys(project, 'es')).toEqual([]);
});

type CaseDefinitions = Parameters<typeof findCaseFileProblems>[1];

function definitionsOf(
  schema: CaseDefinitions['schema'],
  flows: CaseDefinitions['flows'] = {},
  screens: readonly string[] = ['form'],
): CaseDefinitions {
  const screen = { ui: {}, messages: { type: 'Tipo.' } };
  return { screens: new Set(screens), schema, flows, screen: () => ({ screen }) as never };
}

test('[QA-02] findCaseFileProblems names once the screen of the same flow that has a field of the cases now', async () => {
  const cases = { valid: { note: 'a' }, other: { note: 'b', with: { asunto: 'x' }, errors: { nombre: 'No.' } } };
  await write({ 'tests/fixtures/uno.json': JSON.stringify({ data: { nombre: 'Ana', asunto: 'y' }, cases }) });
  const property = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
  const schema = (screen: string) => property(screen === 'uno' ? 'nombre' : 'asunto');
  const flows = { f: { id: 'f', initial: 'a', states: { a: { screen: 'uno' }, b: { screen: 'dos' } } } };
  const find = async (own: Parameters<typeof findCaseFileProblems>[1]['flows']) => {
    const found = await findCaseFileProblems(root, definitionsOf(schema, own, ['uno']), 'es');
    return found.map(({ pointer, message, hint }) => `${pointer} ${message} ${hint}`);
  };
  expect(await find(flows)).toEqual([
    '/data/asunto La pantalla no tiene ningún campo "asunto". Lo tiene ahora la pantalla "dos": pasá el valor a los casos de ella, y quitalo de todos los de esta.',
  ]);
  expect(await find({})).toEqual([expect.stringContaining('Corregí el nombre, o quitalo.')]);
});

test.each([
  ['invalid JSON', '{ "a": 1, }', /^ Esto no es JSON válido.*Quitá la coma.*$/],
  [
    'an unknown language',
    table(texts).replace(/"pt"(?=[^"]*"subject[^x]*$)/, '"pr"'),
    /^\/x\/pr No hay ningún idioma "pr"\. Escribí "pt"\.$/,
  ],
  ['a missing language', '{ "a": { "es": "A" } }', /^\/a Faltan los textos en "pt"\. Traducí los que están en "es"\.$/],
  [
    'a misspelled key in one language',
    table({ subjet: 'Hola', sentence: 'Algo' }, texts),
    /^\/x\/es\/subjet Clave desconocida: "subjet"\. ¿Quisiste decir "subject"\?.*$/,
  ],
  [
    'a misspelled key in both languages',
    table({ subjet: 'Hola', sentence: 'Algo' }),
    /^\/x\/es\/subjet Clave desconocida: "subjet"\. ¿Quisiste decir "subject"\?.*$/,
  ],
  [
    'a key that has another name in one language',
    table({ ...texts, asunto: 'Hola' }, { ...texts, asunta: 'Olá' }),
    /^\/x\/pt\/asunta La clave de este texto es "asunta" acá, y "asunto" en "es"\..*$/,
  ],
  [
    'a key in one language',
    table(texts, { ...texts, more: 'Mais' }),
    /^\/x\/es Acá falta "more", que está en "pt"\..*$/,
  ],
  [
    'an unknown placeholder',
    table({ ...texts, sentence: '{{nombre}}' }),
    /^\/x\/es\/sentence Este correo no tiene un valor para \{\{nombre\}\}.*\{\{name\}\}.*\n\/x\/pt.*$/,
  ],
  [
    'a placeholder in one language',
    table(texts, { ...texts, subject: 'Olá' }),
    /^\/x\/pt\/subject Acá falta "\{\{name\}\}", que está en "es".*$/,
  ],
  [
    'a placeholder with one brace',
    table({ ...texts, sentence: '{name}' }),
    /^\/x\/es\/sentence "\{name\}" no es una variable.*\{\{name\}\}.*\n\/x\/pt.*$/,
  ],
] as const)('[QA-02] findTextTableProblems reports once %s', async (_, text, says) => {
  expect((await tableProblems(text)).join('\n')).toMatch(says);
});

test('[QA-02] findTextTableProblems accepts tables with the same keys in each language, and those of the portal', async () => {
  expect(await tableProblems(table({ ...texts, more: 'Más' }))).toEqual([]);
  expect(await findTextTableProblems(project, ['es', 'pt'], 'es')).toEqual([]);
});

test('[QA-02] findMailProblems accepts mails whose links and placeholders agree in both languages, and those of the portal', async () => {
  expect(await mails({ es: `${es}\n{{>part}}\n`, pt: `${pt}\n{{>part}}\n` })).toEqual([]);
  expect(await findMailProblems(project, 'es', 'es')).toEqual([]);
});

test('[QA-02] readDeclaredPlaceholders finds the placeholders of every mail of the portal', async () => {
  const declared = await readDeclaredPlaceholders(project);
  const files = await readdir(join(project, 'src/server'), { recursive: true });
  const mailFiles = files.filter((file) => /\/mails\/[\w-]+\.es\.txt$/.test(file));
  expect(mailFiles.length).toBeGreaterThan(20);
  expect(mailFiles.filter((file) => declared(basename(file, '.es.txt')) === undefined)).toEqual([]);
});

test('[QA-02] findCaseFileProblems reports a case file and a snapshot of an unknown screen, and a duplicate case key', async () => {
  await write({
    'tests/fixtures/fomr.json': '{ "cases": {} }',
    'tests/fixtures/fomr.txt': '',
    'tests/fixtures/form.txt': '',
    'tests/fixtures/form.json': '{ "cases": { "valid": {}, "valid": {} } }',
    'tests/fixtures/done.json': '{ "cases": { "valid": { "note": "" } } }',
  });
  const found = await findCaseFileProblems(
    root,
    definitionsOf(() => null, {}, ['form', 'done']),
    'es',
  );
  expect(found.map(({ file, message }) => `${file} ${message}`)).toEqual([
    expect.stringMatching(/fomr\.json No hay ninguna pantalla "fomr"/),
    expect.stringMatching(/form\.json La clave "valid" está dos veces/),
    expect.stringMatching(/fomr\.txt No hay ninguna pantalla "fomr"/),
  ]);
  expect(found[0]?.hint).toMatch(/"form"/);
});

test.each([
  ['a value that the valid data has', { with: { nombre: 'Ana' } }, '/cases/other/with/nombre', /ya tiene ese valor/],
  ['an unknown field in "without"', { without: ['nombr'] }, '/cases/other/without/0', /"nombre"/],
  ['a duplicate of another case', { with: { nombre: 'Eva' } }, '/cases/other', /lo mismo que "first"/],
])('[QA-03] findCaseFileProblems reports a case that tests nothing new: %s', async (_, other, pointer, says) => {
  const schema = () => ({ type: 'object', properties: { nombre: { type: 'string' } } });
  const found = async (row: object) => {
    const wrong = { note: '', with: { nombre: 'x' }, errors: { nombre: 'No.' } };
    const first = { note: '', with: { nombre: 'Eva' } };
    const cases = { valid: { note: '' }, wrong, first, other: { note: '', ...row } };
    await write({ 'tests/fixtures/form.json': JSON.stringify({ data: { nombre: 'Ana' }, cases }) });
    return findCaseFileProblems(root, definitionsOf(schema), 'es');
  };
  expect((await found(other)).map((one) => `${one.pointer} ${one.message} ${one.hint}`)).toEqual([
    expect.stringMatching(new RegExp(`^${pointer} .*${says.source}`)),
  ]);
  expect(await found({ without: ['nombre'] })).toEqual([]);
});

test('[QA-03] findCaseFileProblems with a cache checks cases again if they, their screen or the facts have changed', async () => {
  const cache = new DefinitionLoadCache();
  const cases = { valid: { note: '', context: { flags: { a: true } } } };
  const find = async (names: readonly string[], schema: JsonObject | null, facts: readonly string[]) => {
    const own = definitionsOf(() => schema, {}, names);
    return (await findCaseFileProblems(root, own, 'es', facts, cache)).map(({ message }) => message);
  };
  await write({ 'tests/fixtures/form.json': JSON.stringify({ cases }) });
  expect(await find(['form'], null, ['flags.a'])).toEqual([]);
  expect(await find(['form'], null, ['flags.b'])).toEqual(['No existe la bandera "a".']);
  expect(await find(['form'], { type: 'object', properties: {} }, ['flags.a'])).toHaveLength(1);
  expect(await find([], null, ['flags.a'])).toHaveLength(1);
  await write({ 'tests/fixtures/form.json': '{}' });
  expect(await find(['form'], null, ['flags.a'])).toHaveLength(1);
});

test('[QA-03] findCaseFileProblems reports an unknown field in the valid data once instead of for every case', async () => {
  await write({
    'tests/fixtures/form.json':
      '{ "data": { "nombre": "Ana", "mial": "a@b" }, "cases": { "valid": { "note": "" }, "wrong": { "note": "", "without": ["mial"], "errors": { "mail": "No." } } } }',
  });
  const schema = () => ({ type: 'object', properties: { nombre: { type: 'string' }, mail: { type: 'string' } } });
  const found = await findCaseFileProblems(root, definitionsOf(schema), 'es');
  expect(found.map(({ pointer, message, hint }) => `${pointer ?? ''} ${message} ${hint}`)).toEqual([
    '/data/mial La pantalla no tiene ningún campo "mial". ¿Quisiste decir "mail"? Corregí el nombre, o quitalo.',
  ]);
  const cases = {
    valid: { note: '' },
    own: { note: '', data: { nombre: 'Ana', mial: 'x' }, errors: { nombre: 'No.' } },
  };
  await write({ 'tests/fixtures/form.json': JSON.stringify({ data: { nombre: 'Ana', mial: 'a' }, cases }) });
  const repeated = await findCaseFileProblems(root, definitionsOf(schema), 'es');
  expect(repeated.map(({ pointer, hint }) => `${pointer ?? ''} ${hint}`)).toEqual([
    '/data/mial ¿Quisiste decir "mail"? Corregí el nombre, o quitalo. También en 1 más.',
  ]);
});

const form = { type: 'object', properties: { nombre: { type: 'string' }, mail: { type: 'string' } } };
const right = { note: '' };
const wrong = { note: '', with: { nombre: 'x' }, errors: { nombre: 'No.' } };

test.each([
  ['no case file', null, 'schemas/form/ui.json La pantalla no tiene casos.'],
  ['a file without cases', { cases: {} }, 'tests/fixtures/form.json La pantalla no tiene casos.'],
  ['no "cases"', { casos: {} }, 'tests/fixtures/form.json Este archivo no es de casos.'],
  [
    'a misspelled key',
    { cases: { right, wrong, other: { note: '', eror: {} } } },
    'tests/fixtures/form.json Un caso no lleva "eror".',
  ],
  ['a missing note', { cases: { right, wrong, other: {} } }, 'tests/fixtures/form.json Al caso le falta "note".'],
  [
    'a part of another type',
    { cases: { right, wrong, other: { note: '', without: 'nombre' } } },
    'tests/fixtures/form.json "without" es de otro tipo.',
  ],
  [
    'a shared value of another type',
    { data: { nombre: 5 }, cases: { right, wrong } },
    'tests/fixtures/form.json "nombre" es un texto, y 5 es un número.',
  ],
  [
    'an unknown field in a case',
    { cases: { right, wrong, other: { note: '', with: { nonbre: 'x' } } } },
    'tests/fixtures/form.json La pantalla no tiene ningún campo "nonbre".',
  ],
  [
    'an unknown field among the errors',
    { cases: { right, wrong, other: { note: '', with: { nombre: '' }, errors: { nonbre: 'No.' } } } },
    'tests/fixtures/form.json La pantalla no tiene ningún campo "nonbre".',
  ],
  ['no valid case', { cases: { wrong } }, 'tests/fixtures/form.json Ningún caso tiene valores válidos.'],
  ['no invalid case', { cases: { right } }, 'tests/fixtures/form.json Ningún caso tiene valores inválidos.'],
])('[QA-01] findCaseFileProblems reports a screen without valid case files once: %s', async (_, cases, says) => {
  if (cases) await write({ 'tests/fixtures/form.json': JSON.stringify(cases) });
  const found = await findCaseFileProblems(
    root,
    definitionsOf(() => form),
    'es',
  );
  expect(found.map(({ file, message }) => `${file} ${message}`)).toEqual([says]);
});

test('[QA-02] findCaseFileProblems proposes cases with the required values of the screen', async () => {
  const required = { ...form, required: ['nombre'] };
  const [found] = await findCaseFileProblems(
    root,
    definitionsOf(() => required),
    'es',
  );
  expect(found?.hint).toBe(
    'Escribí tests/fixtures/form.json con al menos { "data": {"nombre":"…"}, "cases": { "valid": { "note": "…" } } }.',
  );
});

test('[QA-03] findCaseFileProblems reports an unknown flag in the context of the file and of a case', async () => {
  const context = { flags: { ayuda: true, aiuda: false } };
  await write({
    'tests/fixtures/form.json': JSON.stringify({ context, cases: { right: { ...right, context }, wrong } }),
  });
  const found = (facts: readonly string[]) =>
    findCaseFileProblems(
      root,
      definitionsOf(() => form),
      'es',
      facts,
    );
  expect((await found(['flags.ayuda'])).map(({ pointer, message, hint }) => [pointer, `${message} ${hint}`])).toEqual(
    ['/context/flags/aiuda', '/cases/right/context/flags/aiuda'].map((pointer) => [
      pointer,
      expect.stringMatching(/"aiuda".*"ayuda"/),
    ]),
  );
  expect(await found([])).toEqual([]);
});

test('[QA-03] addAcceptedValues adds a value that the rules accept for each field that no case tests', async () => {
  const properties = {
    nombre: { type: 'string' },
    tipo: { type: 'string', enum: ['x', 'y'] },
    clave: { type: 'string', minLength: 12, maxLength: 20 },
    nunca: { type: 'string' },
  };
  await write({
    'schemas/form/schema.json': JSON.stringify({ type: 'object', properties }),
    'tests/fixtures/form.json': JSON.stringify({ data: { nombre: 'Ana' }, cases: { right } }),
  });
  const definitions = {
    schema: () => ({ type: 'object', properties }),
    check: (_screen: unknown, values: Readonly<Record<string, unknown>>) => ({
      errors: {
        ...(values['tipo'] === 'x' && { tipo: 'No.' }),
        ...(String(values['clave'] ?? '').length < 12 && { clave: 'No.' }),
        nunca: 'No.',
      },
    }),
  } as unknown as Parameters<typeof addAcceptedValues>[1];
  const added = await addAcceptedValues(root, definitions, 'form');
  expect(added).toMatchObject([{ field: 'tipo', value: 'y', pointer: '/properties/tipo' }, { field: 'clave' }]);
  const { data } = await readScreenCases(root, 'form');
  expect(data).toEqual({ nombre: 'Ana', tipo: 'y', clave: added[1]?.value });
  expect(await addAcceptedValues(root, definitions, 'form')).toEqual([]);
});

test('[QA-01] findUntestedFields reports fields that no case tests, also in list items', async () => {
  const items = { type: 'object', properties: { nombre: { type: 'string' }, telefono: { type: 'string' } } };
  const schema = { type: 'object', properties: { ...form.properties, testigos: { type: 'array', items } } };
  const data = { nombre: 'Ana', testigos: [{ nombre: 'Eva' }] };
  await write({
    'schemas/form/schema.json': JSON.stringify(schema),
    'tests/fixtures/form.json': JSON.stringify({ data, cases: { right, wrong } }),
  });
  const definitions = {
    screens: new Set(['form']),
    schema: () => schema,
    ui: () => ({ title: '' }),
    check: (_: unknown, data: ValuesByName) => ({ data, errors: {} }),
  };
  const found = await findUntestedFields(root, definitions, 'es');
  expect(found.map(({ rule, pointer, message }) => `${rule ?? ''} ${pointer} ${message}`)).toEqual([
    'case/field /properties/mail Ningún caso prueba "mail".',
    'case/field /properties/testigos/items/properties/telefono Ningún caso prueba "testigos.items.telefono".',
  ]);
});

test('[QA-01] findUntestedFields reports a field that is hidden in every case that has a value for it', async () => {
  const cases = { 'con-mail': { note: '', with: { mail: 'a@b.uy' } }, right };
  await write({
    'schemas/form/schema.json': JSON.stringify(form),
    'tests/fixtures/form.json': JSON.stringify({ data: { nombre: 'Ana' }, cases }),
  });
  const list = async (...shown: readonly string[]) => {
    const definitions = {
      screens: new Set(['form']),
      schema: () => form,
      ui: () => ({ title: '', visible: { mail: { var: 'form.nombre' } } }),
      check: (_: unknown, data: ValuesByName) => {
        return { data: Object.fromEntries(Object.entries(data).filter(([name]) => shown.includes(name))), errors: {} };
      },
    };
    return (await findUntestedFields(root, definitions, 'es')).map(({ pointer, message }) => `${pointer} ${message}`);
  };
  expect(await list('nombre')).toEqual([
    '/properties/mail El caso "con-mail" da un valor a "mail", que en ese caso no se ve: no prueba nada.',
  ]);
  expect(await list('nombre', 'mail')).toEqual([]);
});
