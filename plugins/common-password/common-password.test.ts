import { describe, expect, test } from 'vitest';
import { commonPasswordWords, isCommonPassword, rules } from './rule.ts';
import { checkWithRule } from '../../tests/plugins/check-with-rule.ts';

describe('[CLAVE-06] commonPassword rule', () => {
  test.each([
    'password',
    'Password1',
    'P@ssw0rd!',
    'p4ssw0rd123',
    'passw0rd',
    'qwertyuiop',
    'qwerty123',
    '1q2w3e4r',
    '1qaz2wsx',
    'zaq12wsx',
    'iloveyou',
    'princess1',
    'sunshine',
    'football',
    'baseball1',
    'superman',
    'batman123',
    'starwars',
    'trustno1',
    'letmein1',
    'welcome1',
    'admin123',
    'abcd1234',
    'a1b2c3d4',
    'abc12345',
    'michael1',
    'jennifer',
    'charlie1',
    'pokemon1',
    'computer',
    'whatever',
    'chocolate',
    'butterfly',
    'liverpool',
    'corvette',
    'mercedes',
    'Contraseña1',
    'c0ntrasena',
    'bienvenido',
    'tequiero',
    'teamomucho',
    'mariposa',
    'estrella',
    'barcelona',
    'realmadrid',
    'bocajuniors',
    'Peñarol1891',
    'nacional1899',
    'Uruguay2026!',
    'montevideo',
    'Gubuy2026',
    'identidad1',
    'mariajose',
    'juancarlos1',
    'alejandra',
    'sebastian10',
    'florencia!',
    'valentina22',
    'holahola',
    'abcabcabc',
    'aaaaaaaa',
    'abcdefgh',
    'hgfedcba',
    '!!!!!!!!',
    'felipefelipe',
    'enero2024',
    '2024enero',
    '12345678a',
  ])('rejects the common password %s', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  test.each([
    ['lluvia tren azul', 'three words'],
    ['caballobateria', 'two words'],
    ['uruguay12345678', 'a word with more than six digits'],
    ['Kx7-tambor', 'a word with letters around it'],
    ['ñandúes que corren', 'a sentence'],
    ['xkqjzvbw', 'random letters'],
    ['', 'nothing'],
  ])('accepts the password %s (%s)', (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });

  test('rejects the additional words of its parameters', () => {
    const check = (parameters: unknown) => checkWithRule(rules, { value: 'Zapican2026', parameters });
    expect(check(true)).toBeNull();
    expect(check({ words: ['zapican'] })).toEqual({});
  });

  test('rejects at least 3,000 passwords of 8 characters or more, each a listed word with a common suffix', () => {
    const ornaments = ['', '1', '12', '123', '1234', '12345', '2024', '2025', '2026', '!'];
    const refused = [...commonPasswordWords]
      .flatMap((word) => ornaments.map((ornament) => word + ornament))
      .filter((p) => p.length >= 8 && isCommonPassword(p));
    expect(commonPasswordWords.size).toBeGreaterThan(1400);
    expect(new Set(refused).size).toBeGreaterThan(3000);
  });
});
