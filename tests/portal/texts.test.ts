import { describe, expect, test } from 'vitest';
import { placeholders } from '../../src/engine/core/messages.ts';
import { loadTexts, sayIn, type TextKey } from '../../src/portal/texts.ts';
import es from '../../src/portal/texts/es.json';
import pt from '../../src/portal/texts/pt.json';

describe('[CFG-02] the sentences of shell and blocks', () => {
  test('are the same in both languages, in the same order', () => {
    expect(Object.keys(pt)).toEqual(Object.keys(es));
  });

  test.each(Object.keys(es) as TextKey[])('%s is a sentence in both, with the same names in it', (key) => {
    expect([es[key].trim(), pt[key].trim()]).not.toContain('');
    expect(placeholders(pt[key])).toEqual(placeholders(es[key]));
  });

  test('have their names filled', async () => {
    expect(sayIn(await loadTexts('es'))('seguridad.hello', { name: 'Ana' })).toBe('Hola, Ana');
    expect(sayIn(await loadTexts('pt'))('seguridad.hello', { name: 'Ana' })).toBe('Olá, Ana');
  });
});
