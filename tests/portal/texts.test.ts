import { describe, expect, test } from 'vitest';
import { placeholders } from '../../src/engine/core/messages.ts';
import { loadAccountTexts, loadTexts, createT } from '../../src/portal/texts.ts';
import esAccount from '../../src/portal/texts/es.account.json';
import es from '../../src/portal/texts/es.json';
import esLanding from '../../src/portal/texts/es.landing.json';
import ptAccount from '../../src/portal/texts/pt.account.json';
import pt from '../../src/portal/texts/pt.json';
import ptLanding from '../../src/portal/texts/pt.landing.json';
import esRoom from '../../src/video-room/texts/es.json';
import ptRoom from '../../src/video-room/texts/pt.json';

const sets: readonly (readonly [string, Readonly<Record<string, string>>, Readonly<Record<string, string>>])[] = [
  ['everybody', es, pt],
  ['a citizen', esAccount, ptAccount],
  ['a call', esRoom, ptRoom],
  ['the first page', esLanding, ptLanding],
];

describe.each(sets)('[CFG-02] the sentences of shell and blocks for %s', (_, spanish, portuguese) => {
  test('are the same in both languages, in the same order', () => {
    expect(Object.keys(portuguese)).toEqual(Object.keys(spanish));
  });

  test.each(Object.keys(spanish))('%s is a sentence in both, with the same names in it', (key) => {
    const [there, here] = [portuguese[key] ?? '', spanish[key] ?? ''];
    expect([here.trim(), there.trim()]).not.toContain('');
    expect(placeholders(there)).toEqual(placeholders(here));
  });
});

describe('[CFG-02] the sentences of shell and blocks', () => {
  test('have their names filled', async () => {
    expect(createT(await loadAccountTexts('es'))('seguridad.hello', { name: 'Ana' })).toBe('Hola, Ana');
    expect(createT(await loadAccountTexts('pt'))('seguridad.hello', { name: 'Ana' })).toBe('Olá, Ana');
    expect(createT(await loadTexts('pt'))('faq.some', { count: 3 })).toContain('3');
  });

  test('stand in one place each', () => {
    expect(Object.keys(es).filter((key) => key in esAccount)).toEqual([]);
  });
});
