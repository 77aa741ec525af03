import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { either, languageOf, say, spoken } from '../../src/engine/compiler/sources/say.ts';
import { translated } from '../../src/engine/compiler/sources/sentences.json' with { type: 'json' };

const { es: spanish } = translated;
const src = join(import.meta.dirname, '../../src');

/** What is said in a file, with {1}, {2} in the place of what is put in. */
function saidIn(file: string): readonly string[] {
  const said: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'say') {
      const { template } = node;
      said.push(
        ts.isNoSubstitutionTemplateLiteral(template)
          ? template.text
          : template.templateSpans.reduce(
              (text, { literal }, index) => `${text}{${index + 1}}${literal.text}`,
              template.head.text,
            ),
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return said;
}

const files = ['engine/compiler', 'server/features/content', 'cli'].flatMap((folder) =>
  readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(src, folder, name)),
);
const said = new Set(files.flatMap(saidIn).filter((sentence) => /\p{L}/u.test(sentence.replace(/\{\d+\}/g, ''))));
/** What the formats say of their keys: an error tells it before what to do. */
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

test('[ANA-02 EST-01] every sentence of the compiler stands in Spanish, and nothing else does', () => {
  expect(said.size).toBeGreaterThan(300);
  expect([...said].filter((sentence) => !Object.hasOwn(spanish, sentence))).toEqual([]);
  expect(Object.keys(spanish).filter((sentence) => !said.has(sentence) && !described.has(sentence))).toEqual([]);
});

test('what is put into a sentence stands in its Spanish as well', () => {
  for (const [english, sentence] of Object.entries(spanish))
    expect([english, placeholders(sentence)]).toEqual([english, placeholders(english)]);
});

test('a sentence takes names, numbers and other sentences in', () => {
  expect(say`There is no state "${'inicio'}".`).toEqual({
    es: 'No hay ningún estado "inicio".',
    en: 'There is no state "inicio".',
  });
  expect(say`It stands with ${either(['string', 'array'])}.`).toEqual({
    es: 'Va con string o array.',
    en: 'It stands with string or array.',
  });
  expect(say`${either(['a', 'b', 'c'])}`.es).toBe('a o b o c');
  expect(['es', 'pt', undefined].map((language) => languageOf(language))).toEqual(['es', spoken, spoken]);
  expect(say`The rule has more than ${500} parts.`.en).toBe('The rule has more than 500 parts.');
});
