import { describe, expect, test } from 'vitest';
import account from '../../schemas/_shared/texts/account.json';
import portal from '../../schemas/_shared/texts/portal.json';
import { loadAccountTexts, loadPortalTexts, createTranslate } from '../../src/portal/portal-texts.ts';

describe('[CFG-02] texts of shell and blocks', () => {
  test('have their placeholders filled in each language', async () => {
    expect(createTranslate(await loadAccountTexts('es'))('home.hello', { name: 'Ana' })).toBe('Hola, Ana');
    expect(createTranslate(await loadAccountTexts('pt'))('home.hello', { name: 'Ana' })).toBe('Olá, Ana');
    expect(createTranslate(await loadPortalTexts('pt'))('faq.some', { count: 3 })).toContain('3');
  });

  test('share no key between portal and account', () => {
    expect(Object.keys(portal).filter((key) => key in account)).toEqual([]);
  });
});
