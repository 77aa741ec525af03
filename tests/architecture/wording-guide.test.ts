import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import quoted from '../../src/brand/specification-quotes.json' with { type: 'json' };
import {
  findWordingProblems,
  listTextsOutsideDefinitions,
} from '../../src/cli/definitions/texts/texts-outside-definitions.ts';
import { formatProblem } from '../../src/engine/compiler/definitions.ts';
import { createWordFinder, maskUncheckedTextParts } from '../../src/engine/compiler/lint/wording/words.ts';
import { indexTextsByPointer } from '../../src/engine/compiler/shared/translation.ts';
import type { Json } from '../../src/engine/core/json.ts';
import { createDefinitionLintOptions } from '../../src/server/app/definition-lint-options.ts';
import { extractQuotations } from './quotations.ts';
import { root } from './source-texts.ts';

const { wording = {} } = createDefinitionLintOptions(root);
const quotations = Object.values(quoted.es).flat();

async function readDefinitions(): Promise<ReadonlyMap<string, Json>> {
  const names = (await readdir(join(root, 'schemas'), { recursive: true })).filter(
    (name) => /(^|\/)ui\.json$|^_shared\/.*\.json$/.test(name) && !/\.pt\.json$/.test(name),
  );
  const read = names.map(async (name): Promise<[string, Json]> => [
    name,
    JSON.parse(await readFile(join(root, 'schemas', name), 'utf8')) as Json,
  ]);
  return new Map(await Promise.all(read));
}

test('[INI+PALABRAS] texts of mails, pages, plugins, server and studio follow the wording guide', async () => {
  const texts = await listTextsOutsideDefinitions(root, Object.keys(wording));
  for (const end of [
    '.es.txt',
    '.pt.md',
    'studio/texts.json',
    'mails/notices.json',
    'sentences.json',
    'file/texts.json',
  ])
    expect(texts.filter(({ file, language }) => `${file.replace('.md', `.${language}.md`)}`.endsWith(end))).not.toEqual(
      [],
    );
  expect(texts.length).toBeGreaterThan(2500);
  expect((await findWordingProblems(root, wording, 'en')).map(formatProblem)).toEqual([]);
});

test.each([
  ['es', 'Si dejás el campo vacío, quitamos tu número.'],
  ['es', 'Podés no completarlo.'],
  ['pt', 'Se você deixar o campo vazio, removemos o número.'],
])('[ANA-02] glossary recognizes a text in "%s" that says that a field may be empty: %s', (language, text) => {
  expect(createWordFinder(wording[language]?.optional ?? [])(text)).toHaveLength(1);
});

test('[INI+PALABRAS] every notice ends with punctuation, except before a link', async () => {
  const notices = [...(await readDefinitions())]
    .flatMap(([name, file]) =>
      [...indexTextsByPointer(file)].map(([pointer, text]) => [`${name} ${pointer}`, text] as const),
    )
    .filter(([at]) => /(ui\.json \/notices|notices\.json \/\$defs)\/\w+\/text$/.test(at));
  expect(notices.length).toBeGreaterThan(40);
  const open = notices.filter(
    ([, text]) =>
      /\p{L}/u.test(maskUncheckedTextParts(text, quotations)) && !/[.:?!…»]$/.test(text) && !/ a$/.test(text),
  ); // excludes a text that ends with the preposition "a", because a link continues it
  expect(open.map(([at, text]) => `${at}: ${text}`)).toEqual([]);
});

/**
 * Path of the specification, which is not in the repository. The other tests use its quotations in
 * `specification-quotes.json`.
 */
const specification = process.env['SPECIFICATION'] ?? join(root, '../shared/spec/portal-specification.md');

test.skipIf(!existsSync(specification))(
  '[INI+PALABRAS] specification-quotes.json contains the quotations of the specification',
  async () => {
    const quotations = extractQuotations(await readFile(specification, 'utf8'));
    await expect(`${JSON.stringify(quotations, null, 2)}\n`).toMatchFileSnapshot(
      join(root, 'src/brand/specification-quotes.json'),
    );
  },
);

test('[INI+PALABRAS] Spanish texts use e for y and u for o only before the same sound', async () => {
  const texts = [
    ...[...(await readDefinitions()).values()].flatMap((file) =>
      [...indexTextsByPointer(file)].map(([, text]) => text),
    ),
    ...(await listTextsOutsideDefinitions(root, ['es']))
      .filter(({ language }) => language === 'es')
      .map(({ text }) => text),
  ];
  const wrong = /(?<![\p{L}}])(?:e (?!h?[ií])|u (?!h?[oó])|y (?!iPhone|h?[ií][aeo])(?=h?[ií])|o (?=h?[oó]))\p{L}+/giu;
  expect(texts.flatMap((text) => [...text.matchAll(wrong)].map(([found]) => `${found}: ${text}`))).toEqual([]);
});

test('[INI+PALABRAS] every quotation of the specification occurs verbatim in the product', async () => {
  const said = [
    ...[...(await readDefinitions()).values()].map((file) => JSON.stringify(file)),
    ...(await listTextsOutsideDefinitions(root, ['es'])).map(({ text }) => JSON.stringify(text)),
  ].join('\n');
  expect(quotations.length).toBeGreaterThan(90);
  expect(quotations.filter((text) => !said.includes(JSON.stringify(text).slice(1, -1)))).toEqual([]);
});
