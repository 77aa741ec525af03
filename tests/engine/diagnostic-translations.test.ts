import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import {
  formatAlternatives,
  resolveLanguage,
  localize,
  sourceLanguage,
} from '../../src/engine/compiler/sources/localized-text.ts';
const src = join(import.meta.dirname, '../../src');

/** Returns the messages in a source file. Placeholders {1}, {2} stand for their values. */
function listMessages(file: string): readonly string[] {
  const said: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && ['localize', 'explain'].includes(node.tag.getText())) {
      const { template } = node;
      const text = ts.isNoSubstitutionTemplateLiteral(template)
        ? template.text
        : template.templateSpans.reduce((before, { literal }) => `${before}\0${literal.text}`, template.head.text);
      // `explain` has two sentences, each on its own line: the problem and the hint
      for (const sentence of node.tag.getText() === 'localize' ? [text] : text.split(/\n\s*/).slice(-2)) {
        let count = 0;
        said.push(sentence.replaceAll('\0', () => `{${(count += 1)}}`));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return said;
}

interface Sentences {
  readonly es: Readonly<Record<string, string>>;
}

/** Modules that report messages, each with the file of its translations. */
const modules = {
  'engine/compiler': 'engine/compiler/sources/sentences.json',
  'server/features/content': 'server/features/content/sentences.json',
  cli: 'cli/definitions/sentences.json',
};
const inModules = Object.entries(modules).map(([folder, file]) => {
  const files = readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const said = new Set(files.flatMap((name) => listMessages(join(src, folder, name))));
  const sentences = JSON.parse(readFileSync(join(src, file), 'utf8')) as Sentences & {
    readonly translated?: Sentences;
  };
  const { es: spanish } = sentences.translated ?? sentences;
  return { folder, said: [...said].filter((text) => /\p{L}/u.test(text.replace(/\{\d+\}/g, ''))), spanish };
});
const ofEngine = inModules[0]?.spanish ?? {};
/** Descriptions of keys in the formats. Errors quote them before the hint. */
const described = new Set(
  readdirSync(join(src, 'engine/compiler/formats'))
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => [
      ...readFileSync(join(src, 'engine/compiler/formats', name), 'utf8').matchAll(
        /"description": ("(?:[^"\\]|\\.)*")/g,
      ),
    ])
    .map(([, text = '""']) => JSON.parse(text) as string),
);
const placeholders = (sentence: string) => [...sentence.matchAll(/\{\d+\}/g)].map(String).sort();

test.each(inModules)(
  '[ANA-02 EST-01] every message of $folder has a translation, and every translation has a message',
  ({ said, spanish }) => {
    expect(said.length).toBeGreaterThan(40);
    const isTranslated = (text: string) => Object.hasOwn(spanish, text) || Object.hasOwn(ofEngine, text);
    expect(said.filter((text) => !isTranslated(text))).toEqual([]);
    const isUsed = (text: string) => said.includes(text) || (spanish === ofEngine && described.has(text));
    expect(Object.keys(spanish).filter((text) => !isUsed(text))).toEqual([]);
  },
);

test.each(inModules)('translations of $folder have the placeholders of their message', ({ spanish }) => {
  for (const [english, sentence] of Object.entries(spanish))
    expect([english, placeholders(sentence)]).toEqual([english, placeholders(english)]);
});

test('localize inserts names, numbers and other messages into a message in Spanish and English', () => {
  expect(localize`There is no state "${'inicio'}".`).toEqual({
    es: 'No hay ningún estado "inicio".',
    en: 'There is no state "inicio".',
  });
  expect(localize`It applies to ${formatAlternatives(['string', 'array'])}.`).toEqual({
    es: 'Vale para string o array.',
    en: 'It applies to string or array.',
  });
  expect(localize`${formatAlternatives(['a', 'b', 'c'])}`.es).toBe('a o b o c');
  expect(['es', 'pt', undefined].map((language) => resolveLanguage(language))).toEqual([
    'es',
    sourceLanguage,
    sourceLanguage,
  ]);
  expect(localize`The rule has more than ${500} parts.`.en).toBe('The rule has more than 500 parts.');
});
