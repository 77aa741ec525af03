import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import words from '../../src/brand/search.json' with { type: 'json' };
import type { PageRoute } from '../../src/engine/core/definitions-manifest.ts';
import { createFaqSearchFunction } from '../../src/portal/blocks/faq-search.ts';
import { loadLocalizedContent } from '../../src/server/features/content/open-content.ts';
import { productDefinitions } from '../definitions/support/product-definitions.ts';

const root = join(import.meta.dirname, '../..');
const languages = ['es', 'pt'] as const;
type Language = (typeof languages)[number];

let routes: readonly PageRoute[];
const search: Partial<Record<Language, (typed: string) => readonly string[]>> = {};
beforeAll(async () => {
  ({ routes } = (await productDefinitions).manifest('es'));
  const content = await loadLocalizedContent({ root, routes, languages });
  for (const language of languages) {
    const faqs = (content[language]?.categories ?? []).flatMap(({ questions }) =>
      questions.map(({ slug, title, answer }) => ({ slug, titulo: title, respuesta: answer })),
    );
    const find = createFaqSearchFunction(faqs, words[language]);
    search[language] = (typed) => find(typed).map(({ slug }) => slug);
  }
});

test.each<[typed: string, slug: string, language?: Language]>([
  ['mail', 'no-me-llego-el-correo-de-activacion'],
  ['no me llega el mail', 'no-me-llego-el-correo-de-activacion'],
  ['no me llegó el correo', 'no-me-llego-el-correo-de-activacion'],
  ['cómo activo la cuenta', 'no-me-llego-el-correo-de-activacion'],
  ['cambiar clave', 'como-cambio-mi-contrasena'],
  ['quiero cambiar la contraseña', 'como-cambio-mi-contrasena'],
  ['CAMBIAR CONTRASEÑAS', 'como-cambio-mi-contrasena'],
  ['olvidé', 'como-restablezco-mi-contrasena'],
  ['olvide mi clave', 'como-restablezco-mi-contrasena'],
  ['no me acuerdo la contraseña', 'como-restablezco-mi-contrasena'],
  ['recuperar password', 'como-restablezco-mi-contrasena'],
  ['olvide la contrasenña', 'como-restablezco-mi-contrasena'],
  ['contraseña segura', 'como-elijo-una-buena-contrasena'],
  ['nivel 2', 'como-subir-a-nivel-intermedio'],
  ['subir de nivel', 'como-subir-a-nivel-intermedio'],
  ['verificar mi identidad', 'como-subir-a-nivel-intermedio'],
  ['agendar videollamada', 'como-subir-a-nivel-intermedio'],
  ['qué nivel tengo', 'que-niveles-de-seguridad-hay'],
  ['me pide nivel', 'por-que-me-piden-mas-nivel'],
  ['celular nuevo', 'perdi-mi-celular'],
  ['me robaron el celular', 'perdi-mi-celular'],
  ['cambié de teléfono', 'perdi-mi-celular'],
  ['doble factor', 'que-es-el-doble-factor'],
  ['verificación en dos pasos', 'que-es-el-doble-factor'],
  ['activar doble factor', 'como-activo-el-doble-factor'],
  ['google authenticator', 'como-activo-el-doble-factor'],
  ['el codigo no anda', 'el-codigo-no-funciona'],
  ['códigos de respaldo', 'que-son-los-codigos-de-recuperacion'],
  ['entrar con huella', 'que-es-una-llave-de-acceso'],
  ['link vencido', 'el-vinculo-no-funciona'],
  ['crear cuenta', 'como-me-registro'],
  ['registrarme', 'como-me-registro'],
  ['ya estoy registrado', 'mi-documento-ya-esta-registrado'],
  ['cuenta bloqueada', 'mi-cuenta-esta-bloqueada'],
  ['me bloquearon', 'mi-cuenta-esta-bloqueada'],
  ['demasiados intentos', 'por-que-tengo-que-esperar-para-entrar'],
  ['borrar mi cuenta', 'como-cierro-mi-cuenta'],
  ['dar de baja', 'como-cierro-mi-cuenta'],
  ['cambiar mail', 'como-cambio-mi-correo-o-telefono'],
  ['cambiar número de celular', 'como-cambio-mi-correo-o-telefono'],
  ['no entro a mi correo', 'ya-no-tengo-acceso-a-mi-correo'],
  ['pasaporte', 'me-registro-con-documento-extranjero'],
  ['estoy en otro país', 'vivo-en-el-exterior'],
  ['se cierra sola', 'mi-sesion-se-cierra-sola'],
  ['dejé la sesión abierta', 'como-cierro-otras-sesiones'],
  ['me hackearon', 'alguien-uso-mi-documento'],
  ['no fui yo', 'no-hice-el-cambio-que-me-avisaron'],
  ['descargar mis datos', 'como-descargo-mis-datos'],
  ['quitar permiso a una app', 'como-retiro-el-acceso-de-una-aplicacion'],
  ['no coincide el apellido', 'los-datos-son-incorrectos'],
  ['firma digital', 'como-subo-con-firma-digital'],
  ['esqueci a senha', 'como-restablezco-mi-contrasena', 'pt'],
  ['nível 2', 'como-subir-a-nivel-intermedio', 'pt'],
  ['celular novo', 'perdi-mi-celular', 'pt'],
  ['encerrar sessões', 'como-cierro-otras-sesiones', 'pt'],
])('[INI+BUSQUEDA] question search for "%s" returns %s first', (typed, slug, language = 'es') => {
  const found = search[language]?.(typed) ?? [];
  expect(found[0]).toBe(slug);
  expect(found.length, 'not all questions match').toBeLessThan(20);
});

test.each<[typed: string, slug: string, language?: Language]>([
  ['no puedo entrar', 'no-puedo-entrar'],
  ['nopuedo ingresar', 'no-puedo-entrar'],
  ['no me deja entrar', 'no-puedo-entrar'],
  ['no puedo iniciar secion', 'no-puedo-entrar'],
  ['no puedo aceder a la cuenta', 'no-puedo-entrar'],
  ['problemas para entrar', 'no-puedo-entrar'],
  ['usuario o contraseña incorrectos', 'no-puedo-entrar'],
  ['contrasenia incorrecta', 'como-restablezco-mi-contrasena'],
  ['olvide mi contraceña', 'como-restablezco-mi-contrasena'],
  ['me olbide la clabe', 'como-restablezco-mi-contrasena'],
  ['no me toma la clave', 'como-restablezco-mi-contrasena'],
  ['contraseñas olvidadas', 'como-restablezco-mi-contrasena'],
  ['no me yega el mail', 'no-me-llego-el-correo-de-activacion'],
  ['no encuentro el correo', 'no-me-llego-el-correo-de-activacion'],
  ['sacar usuario gub uy', 'como-me-registro'],
  ['se me rompio el celu', 'perdi-mi-celular'],
  ['codigos de recuperasion', 'que-son-los-codigos-de-recuperacion'],
  ['huella digital', 'que-es-una-llave-de-acceso'],
  ['como valido mi identidad', 'como-subir-a-nivel-intermedio'],
  ['apellido mal escrito', 'los-datos-son-incorrectos'],
  ['mis datos estan mal', 'los-datos-son-incorrectos'],
  ['serrar sesion', 'como-cierro-otras-sesiones'],
  ['me akearon la cuenta', 'alguien-uso-mi-documento'],
  ['vivo en españa', 'vivo-en-el-exterior'],
  ['nao consigo entrar', 'no-puedo-entrar', 'pt'],
  ['senha incorreta', 'no-puedo-entrar', 'pt'],
])(
  '[INI+BUSQUEDA] question search for "%s", as citizens spell it, returns %s first',
  (typed, slug, language = 'es') => {
    expect(search[language]?.(typed)[0]).toBe(slug);
  },
);

test.each(['', '  ', '(', 'perro', 'receta de torta fritas', 'de la'])(
  '[INI+BUSQUEDA] question search for "%s" returns nothing',
  (typed) => {
    expect(search.es?.(typed)).toEqual([]);
  },
);

test.each<[string, object, RegExp | null]>([
  ['no entries', {}, null],
  ['an unknown key', { iguales: [] }, /^\/es\/iguales Clave desconocida|^\/es\/iguales .*"iguales"/],
  ['a question that does not exist', { asked: { 'no-hay': ['nada'] } }, /^\/es\/asked\/no-hay .*"no-hay"/],
  ['a suggestion that does not exist', { suggested: ['no-hay'] }, /^\/es\/suggested\/0 .*"no-hay"/],
  [
    'words that no question contains',
    {
      same: [
        ['correo', 'mail'],
        ['gato', 'perro'],
      ],
    },
    /^\/es\/same\/1 Ninguna pregunta contiene/,
  ],
  ['a repeated word', { same: [['correo', 'Corréo']] }, /^\/es\/same\/0\/1 "correo" está dos veces/],
  [
    'a word in two groups',
    {
      same: [
        ['correo', 'mail'],
        ['celular', 'correo'],
      ],
    },
    /^\/es\/same\/1\/1 "correo" está dos veces/,
  ],
  [
    'a word that is both ignored and in a group',
    { same: [['correo', 'mail']], ignored: ['de', 'Correo'] },
    /^\/es\/ignored\/1 "Correo" está también en un grupo de "same"/,
  ],
  [
    'a phrase instead of a word',
    { same: [['correo', 'dos pasos']] },
    /^\/es\/same\/0\/1 "dos pasos" es más de una palabra/,
  ],
])('[INI+BUSQUEDA ANA-02] loadLocalizedContent validates search words with %s', async (_, change, says) => {
  const folder = await mkdtemp(join(tmpdir(), 'search-'));
  try {
    await mkdir(join(folder, 'src/server/features'), { recursive: true });
    await mkdir(join(folder, 'src/brand'));
    await symlink(join(root, 'src/server/features/content'), join(folder, 'src/server/features/content'));
    const own = { same: [], asked: {}, ignored: [], suggested: [], ...change };
    await writeFile(join(folder, 'src/brand/search.json'), JSON.stringify({ es: own }));
    const told = await loadLocalizedContent({ root: folder, routes, languages, language: 'es' }).then(
      () => [],
      ({ problems }: { problems: readonly { pointer: string; message: string }[] }) =>
        problems.map(({ pointer, message }) => `${pointer} ${message}`),
    );
    if (says === null) expect(told).toEqual([]);
    else {
      expect(told).toHaveLength(1);
      expect(told[0]).toMatch(says);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
