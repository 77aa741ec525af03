// @vitest-environment happy-dom
import { beforeAll, describe, expect, test } from 'vitest';
import { ratePasswordStrength } from '../../plugins/password/widget.tsx';
import { toPersonFact } from '../../src/contract/rule-facts.ts';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import type { FormModel } from '../../src/engine/runtime/form/form-model.ts';
import { buildPortalFacts } from '../../src/portal/portal-facts.ts';
import { importScreen } from '../engine/support/loaded-screens.ts';
import { createPage } from './support/sample-page.ts';
import { productDefinitions } from '../definitions/support/product-definitions.ts';

const personal = 'No uses información personal en la contraseña!';
/** A citizen's record, as the server returns it. */
const record = {
  primer_nombre: 'Ana',
  segundo_nombre: '',
  primer_apellido: 'Pereira',
  segundo_apellido: 'Sosa',
  numero_documento: '12345672',
  user: { email: 'ana@example.com' },
};
const { config } = createPage({ id: 'f', initial: 'a', states: { a: { screen: 'x' } } });
const inBrowser = (user: unknown) => buildPortalFacts(config, user, user !== null, null, { language: 'es' });

let definitions: ServedDefinitions;
beforeAll(async () => {
  definitions = await productDefinitions;
}, 60_000);

async function openForm(screen: string, user: unknown): Promise<FormModel> {
  const draft = (await importScreen(definitions, screen)).open({}, inBrowser(user));
  if (!draft) throw new Error('no fields');
  return draft;
}

function readFeedback(draft: FormModel, name: string, typed: string): { band: string; error: string | null } {
  const field = draft.field(name);
  field?.set(typed);
  field?.blur();
  return { band: ratePasswordStrength(typed, field?.invalid ?? false).band, error: field?.error ?? null };
}

describe('[CLAVE-06 CLAVE-07] new password of a signed-in citizen', () => {
  test.each([
    ['anapereirasosa', 'refused', personal],
    ['anapereira', 'refused', personal],
    ['PereiraSosa1', 'refused', personal],
    ['12345672a', 'refused', personal],
    ['lluvia-tren-azul', 'strong', null],
  ])('is rated the same by meter, message and server: %s is %s', async (typed, band, error) => {
    const draft = await openForm('seguridad-contrasena-modificar', record);
    expect(readFeedback(draft, 'new_pass', typed)).toEqual({ band, error });
    const { errors } = definitions.check(
      'seguridad-contrasena-modificar',
      { new_pass: typed, repeat_pass: typed },
      { language: 'es', context: { flags: config.flags, person: toPersonFact(record) } },
    );
    expect(errors['new_pass'] ?? null).toBe(error);
  });
});

describe('[CLAVE-06 CLAVE-07] new password behind a reset link', () => {
  const verdict = (password: string, context: object) =>
    definitions.check(
      'contrasena-restablecer-nueva',
      { password, passwordRepeat: password, token: 'x' },
      { language: 'es', context: { flags: config.flags, ...context } },
    ).errors['password'] ?? null;

  test('is checked against the owner of the link only by the server, whose error sets the meter', async () => {
    const draft = await openForm('contrasena-restablecer-nueva', record);
    expect(inBrowser(record)).not.toHaveProperty('linkOwner');
    expect(readFeedback(draft, 'password', 'anapereirasosa').band).toBe('medium');
    const refusal = verdict('anapereirasosa', { linkOwner: toPersonFact(record) });
    expect(refusal).toBe(personal);
    draft.refuse({ password: refusal ?? '' }, null);
    const field = draft.field('password');
    expect(field?.error).toBe(personal);
    expect(ratePasswordStrength('anapereirasosa', field?.invalid ?? false).band).toBe('refused');
  });

  test('is not checked against the signed-in citizen', () => {
    expect(verdict('anapereirasosa', { person: toPersonFact(record) })).toBeNull();
  });
});

test('toPersonFact returns null if no citizen is signed in', () => {
  expect(toPersonFact(null)).toBeNull();
  expect(inBrowser(null)).toMatchObject({ person: null });
});
