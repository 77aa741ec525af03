import { createMisspellingFinder } from '../../src/engine/compiler/lint/wording/misspelling-finder.ts';
import { expect, test } from 'vitest';
import glossary from '../../src/brand/glossary.json' with { type: 'json' };
import {
  explainMisplaced,
  findMisplacedTranslations,
} from '../../src/engine/compiler/lint/rules/texts/exchanged-translations.ts';
import { findOwnAddresses } from '../../src/engine/compiler/lint/rules/texts/links.ts';
import { createWordingRules } from '../../src/engine/compiler/lint/wording/list-located-texts.ts';
import { createTranslationScorer } from '../../src/engine/compiler/lint/wording/translation-scorer.ts';
import { createWordingValidator } from '../../src/engine/compiler/lint/wording/wording-faults.ts';

const rules = createWordingRules(glossary, {});
const validators = Object.fromEntries(
  Object.entries(rules).map(([language, own]) => [language, createWordingValidator(own)]),
);
const correct = (text: string, language = 'es') =>
  (validators[language]?.({ text, readers: 'everybody' }) ?? []).map(({ rule, corrected }) => [rule, corrected ?? '']);

test.each([
  ['Revisa la carpeta', 'Revisá la carpeta'],
  ['Firma el documento', 'Firmá el documento'],
  ['Si no lo encontrás, revisa la carpeta', 'Si no lo encontrás, revisá la carpeta'],
  ['Abrí la aplicación e ingresa el código', 'Abrí la aplicación e ingresá el código'],
  ['Elige una contraseña', 'Elegí una contraseña'],
  ['Vuelve a pedirlo', 'Volvé a pedirlo'],
  ['Guarde los códigos', 'Guardá los códigos'],
  ['No comparta el código', 'No compartas el código'],
  ['Cuando cancelas, queda libre', 'Cuando cancelás, queda libre'],
  ['Si reconoces la letra', 'Si reconocés la letra'],
  ['Si la volves a usar', 'Si la volvés a usar'],
  ['No recibi el código', 'No recibí el código'],
  ['Olvide mi contraseña', 'Olvidé mi contraseña'],
  ['Guárdalo', 'Guardalo'],
  ['Más informacion', 'Más información'],
  ['¿De donde sale?', '¿De dónde sale?'],
  ['El botón «Avisame para que»', 'El botón «Avisame para qué»'],
])('[ANA-02] a text with a verb or word of another person or without accent is corrected: %s', (text, corrected) => {
  expect(correct(text).map(([, own]) => own)).toEqual([corrected]);
});

test.each([
  'Firma digital',
  'La aplicación que genera y muestra códigos',
  '{nombre} deja de poder leer tus datos',
  'Cierra a las 17',
  'Cuando la cuenta cambia, cambia la fecha',
  'Entre 4 y 6 letras',
  'Las consultas y reservas que tenés',
  'Si las firmas coinciden, elegí hacia dónde',
  'Te avisamos “que” se desvinculó',
  'La palabra «el» sin tilde',
])('[ANA-02] a text in which the same letters are another word is accepted: %s', (text) => {
  expect(correct(text)).toEqual([]);
});

test.each([
  ['text/date', 'De 10 a 5 días', 'De 5 a 10 días'],
  ['text/date', 'Entre 500 y 20 letras', 'Bajó de 10 a 5 letras'],
  ['text/date', 'Del 15 al 10 de marzo', 'Desde el 30 de mayo hasta el 2 de junio'],
  ['text/date', 'Vence el martes 03/03/2027', 'Vence el miércoles 03/03/2027'],
  ['text/hours', 'Llamá al 2901 2930', 'Sin el 0. Por ejemplo, +598 2901 2930.'],
  ['text/hours', 'Escribí a ayuda@salud.uy', 'nombre@salud.uy'],
])('[ANA-02] %s reports "%s" and accepts "%s"', (rule, wrong, right) => {
  expect(correct(wrong)).toEqual([[rule, '']]);
  expect(correct(right)).toEqual([]);
});

test.each([
  ['No pudimos procesar tu pedido. Intente de nuevo en unos minutos.', 'es', ['text/voice']],
  ['No pudimos procesar tu pedido. Revise el número.', 'es', ['text/voice']],
  ['No pudimos procesar tu pedido. Avise.', 'es', ['text/voice', 'text/advice']],
  ['Não conseguimos processar o pedido. Tente de novo em alguns minutos.', 'pt', []],
])('[ANA-02] an error with advice in words that the guide replaces is reported only for its words: %s', (...args) => {
  const [text, language, expected] = args;
  const found = validators[language]?.({ text, readers: 'everybody', isError: true }) ?? [];
  expect(found.map(({ rule }) => rule)).toEqual(expected);
});

test('[ANA-02] Portuguese endings without accent are corrected', () => {
  expect(correct('Informacoes e permissao', 'pt')).toEqual([
    ['text/plain', 'Informações e permissao'],
    ['text/plain', 'Informacoes e permissão'],
  ]);
});

const pairs = [
  ...['una llave', 'un código', 'tu correo', 'tu cuenta', 'otro día', 'más tarde'].map((end) => ({
    text: `Para seguir elegí ${end}.`,
    translated: `Para continuar escolha ${end}.`,
  })),
  { text: 'Volver a la lista', translated: 'Voltar para a lista' },
  { text: 'Cerrar la ventana ahora', translated: 'Voltar para a lista' },
  {
    text: 'Para seguir elegí el nombre de la persona que te atendió ayer.',
    translated: 'Nós ligamos depois das seis horas se houver vaga livre.',
  },
];

test('[ANA-02] a translation of another text is reported, with that text if the definitions have it', () => {
  const found = findMisplacedTranslations(pairs, createTranslationScorer(pairs));
  expect(found.map(([own, source]) => [own.text, source?.text])).toEqual([
    ['Cerrar la ventana ahora', 'Volver a la lista'],
    ['Para seguir elegí el nombre de la persona que te atendió ayer.', undefined],
  ]);
  expect(
    found.map(([own, source]) => explainMisplaced(own, source && { ...source, file: 'a.json' }).message['es']),
  ).toEqual([
    '"Voltar para a lista" es la traducción de "Volver a la lista" en a.json, pero este texto es "Cerrar la ventana ahora".',
    '"Nós ligamos depois das seis horas se houver vaga livre." no se parece en nada a "Para seguir elegí el nombre de la persona que te atendió ayer.", que es el texto que traduce.',
  ]);
});

test('[ANA-02] a path of a page in a text is its own address, and a linked path or another site is not', () => {
  const find = (text: string) => findOwnAddresses(text, ['/registro', '/ayuda/:slug']).map(([address]) => address);
  expect(find('Entrá a /registro.')).toEqual(['/registro']);
  expect(find('Entrá a mi.gub.uy/ayuda/nivel.')).toEqual(['mi.gub.uy/ayuda/nivel']);
  expect(find('Entrá a [Registro](/registro), a www.salud.uy/registro, o a lunes y/o martes.')).toEqual([]);
});

test('[QA-02] createMisspellingFinder reports a lost accent if two other texts, or ten times as many, have the word with it', () => {
  const lost = 'Los permisos que les habias dado.';
  const find = (...texts: readonly string[]) =>
    createMisspellingFinder([lost, ...texts], { quoted: [] })(lost).map(({ word, instead }) => [word, instead]);
  expect(find('Lo que habías pedido.', 'Ya habías entrado.')).toEqual([['habias', 'habías']]);
  expect(find('Lo que habías pedido.')).toEqual([]);
  const usual = Array.from({ length: 20 }, () => 'Lo que habías pedido.');
  expect(find(lost, ...usual)).toEqual([['habias', 'habías']]);
  expect(find(lost, ...usual.slice(1))).toEqual([]);
});

test.each([
  ['contrato', 'contratos'],
  ['contrata', 'contratos'],
  ['contrator', 'contratores'],
])('[QA-02] createMisspellingFinder accepts "%s", because "%s" is a form of the same word', (word, other) => {
  const inflections = { o: ['os'], a: ['os'], r: ['res'] };
  const usual = Array.from({ length: 6 }, () => word.replace(/(?<=t)r|s$/, ''));
  const find = (...texts: readonly string[]) =>
    createMisspellingFinder([word, ...usual, ...texts], { quoted: [], inflections })(word).map(
      (found) => found.instead,
    );
  expect([find(), find(other)]).toEqual([[usual[0]], []]);
});
