import { describe, expect, test } from 'vitest';
import { placeholders } from '../../src/engine/core/messages.ts';
import { sayIn, type TextKey } from '../../src/portal/texts.ts';
import texts from '../../src/portal/texts.json';

describe('[CFG-02] the sentences of shell and blocks', () => {
  test('are the same in both languages, in the same order', () => {
    expect(Object.keys(texts.pt)).toEqual(Object.keys(texts.es));
  });

  test.each(Object.keys(texts.es) as TextKey[])('%s is a sentence in both, with the same names in it', (key) => {
    expect([texts.es[key].trim(), texts.pt[key].trim()]).not.toContain('');
    expect(placeholders(texts.pt[key])).toEqual(placeholders(texts.es[key]));
  });

  test('have their names filled', () => {
    expect(sayIn('es')('seguridad.hello', { name: 'Ana' })).toBe('Hola, Ana');
    expect(sayIn('pt')('seguridad.hello', { name: 'Ana' })).toBe('Olá, Ana');
  });
});
