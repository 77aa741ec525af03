import { expect, test } from 'vitest';
import { listNearNames, suggestSimilarName } from '../../src/engine/compiler/sources/localized-text.ts';

const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `campo_${String.fromCharCode(97 + index)}`);

test.each([
  ['contrasena', ['correo', 'contraseña'], 'contraseña'],
  ['registro-correo', ['documento', 'correo'], 'correo'],
  ['enlace', ['name', 'link'], 'link'],
  ['producto', ['name', 'product'], 'product'],
  ['ubmit', ['submit'], 'submit'],
  ['aviso', ['avisos', 'aviso-listo', 'otro'], 'aviso-listo'],
  ['esperaCodigo', ['esperaCodigoSms', 'esperaCodigos'], 'esperaCodigoSms'],
  ['contacto', ['/contacto-videollamada', '/contacto'], '/contacto'],
  ['guardar', ['borrar', 'confirmar-guardar'], 'confirmar-guardar'],
  ['nro_documento', ['tipo_documento', 'numero_documento'], 'numero_documento'],
])('[ANA-02] suggestSimilarName suggests what "%s" means', (wrong, known, meant) => {
  expect(suggestSimilarName(wrong, known).es).toBe(`¿Quisiste decir "${meant}"? `);
});

test('[ANA-02] suggestSimilarName does not suggest a different word with the same ending', () => {
  expect(suggestSimilarName('Modificar', ['Verificar', 'Volver']).es).toBe('');
});

test('[ANA-02] listNearNames lists all names, or the most similar of many in their order', () => {
  expect(listNearNames('campo', []).es).toBe('ninguno');
  expect(listNearNames('otro', names(3)).es).toBe('campo_a, campo_b, campo_c');
  expect(listNearNames('zona', [...names(12), 'zonas', 'zona_b']).es).toMatch(/^campo_a, .*zonas, zona_b y 6 más$/);
});

test('[ANA-02] a message lists each known name once', () => {
  expect(listNearNames('sumbit', ['submit', 'back', 'submit'])).toMatchObject({ en: 'submit, back' });
});
