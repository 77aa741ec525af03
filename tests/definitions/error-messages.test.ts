import { beforeAll, expect, test } from 'vitest';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import { productDefinitions } from './support/product-definitions.ts';

let definitions: ServedDefinitions;
beforeAll(async () => {
  definitions = await productDefinitions;
});

const errorsOf = (screen: string, data: Readonly<Record<string, unknown>>, earlier = {}) =>
  definitions.check(screen, data, { language: 'es', context: { flags: {}, metodo: 'totp', earlier } }).errors;

const uruguayan = { pais_emisor: 'uy', tipo_documento: 'ci' };
/** Screen, field, input, and error message, transcribed from section 5.1 of the specification. */
const sentences: readonly (readonly [
  screen: string,
  field: string,
  data: Readonly<Record<string, unknown>>,
  message: string | undefined,
  earlier?: Readonly<Record<string, string>>,
])[] = [
  ['registro-nombre', 'primer_nombre', {}, 'Este es un dato requerido'],
  ['registro-nombre', 'primer_nombre', { primer_nombre: 'An4' }, 'No uses símbolos ni números'],
  [
    'registro-nombre',
    'primer_nombre',
    { primer_nombre: 'a'.repeat(101) },
    'Asegúrese de que este campo no tenga más de 100 caracteres.',
  ],
  ['registro-correo', 'email', { email: 'ana' }, 'Ingrese un email válido'],
  ['registro', 'numero_documento', { ...uruguayan, numero_documento: '12345678' }, 'El documento no es válido.'],
  [
    'registro',
    'numero_documento',
    { ...uruguayan, numero_documento: '1.234.567-2' },
    'Ingrese su documento sin puntos ni guiones.',
  ],
  ['registro-contrasena', 'password', { password: 'Mate1' }, 'Mínimo 8 caracteres de longitud'],
  ['registro-contrasena', 'password', { password: '84629175' }, 'Muy fácilmente adivinable! No uses solo números'],
  [
    'registro-contrasena',
    'password',
    { password: 'fernandez1' },
    'No uses información personal en la contraseña!',
    { primer_apellido: 'Fernandez' },
  ],
  [
    'login-recoverycode',
    'recoverycode',
    { recoverycode: 'ab-12!' },
    'El código de verificación solo contiene números y letras.',
  ],
  ['login-totp', 'totp', { totp: '12a456' }, 'El código de verificación solo contiene números.'],
  ['login-totp', 'totp', { totp: '12345' }, 'Asegúrese de que este campo tenga 6 caracteres.'],
  ['registro-contrasena', 'terminos', {}, 'Requerido'],
  ['registro-contrasena', 'terminos', { terminos: false }, 'Requerido'],
  ['registro-contrasena', 'captcha_response', {}, 'Requerido'],
  [
    'registro-contrasena',
    'repetir_password',
    { password: 'tres-tazas-de-mate', repetir_password: 'tres-tazas' },
    'Las contraseñas deben ser iguales',
  ],
  [
    'registro-correo',
    'repetir_email',
    { email: 'ana@correo.uy', repetir_email: 'ana@correo.com' },
    'Los correos deben ser iguales',
  ],
];

test.each(sentences.map(([screen, field, data, message, earlier = {}]) => ({ screen, field, data, message, earlier })))(
  '[VAL-01] screen $screen, field $field with $data: the error is $message',
  ({ screen, field, data, message, earlier }) => {
    expect(errorsOf(screen, data, earlier)[field]).toBe(message);
  },
);

const codes = [
  ['', 'Este es un dato requerido'],
  ['12345', 'Asegúrese de que este campo tenga 6 caracteres.'],
  ['1234567', 'Asegúrese de que este campo no tenga más de 6 caracteres.'],
  ['12345a', 'El código de verificación solo contiene números.'],
  ['123456', undefined],
] as const;

test.each(
  [
    ['segundo-factor-codigo', 'code'],
    ['login-totp', 'totp'],
  ].flatMap(([screen = '', field = '']) => codes.map(([code, message]) => ({ screen, field, code, message }))),
)('[MFA-04] code on $screen, "$code": the error is $message', ({ screen, field, code, message }) => {
  expect(errorsOf(screen, code === '' ? {} : { [field]: code })[field]).toBe(message);
});

test('[VAL-08] terms and captchas of all screens have the short error for a required value', () => {
  const captchas = [...definitions.screens].flatMap((screen) => errorsOf(screen, {})['captcha_response'] ?? []);
  expect(captchas.length).toBeGreaterThan(1);
  const terms = [{}, { terminos: false }].map((data) => errorsOf('registro-contrasena', data)['terminos']);
  expect(new Set([...captchas, ...terms])).toEqual(new Set(['Requerido']));
});
