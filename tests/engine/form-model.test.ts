import { autorun } from 'mobx';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ValuesByName } from '../../src/engine/core/json.ts';
import type { FormModel } from '../../src/engine/runtime/form/form-model.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { loadScreens, importScreen } from './support/loaded-screens.ts';
import { changeSample, loadProject } from './support/project.ts';
import { createFormFiles } from './support/sample-form.ts';

type Schema = { properties: Record<string, unknown> };
type Ui = { fields: Record<string, Record<string, unknown>>; visible: Record<string, unknown>; showErrors?: string };

let blur: LoadedScreen;
let change: LoadedScreen;

// The sample form with a lower-case e-mail address, and a field `detail` that is visible if `extra` has a value.
beforeAll(async () => {
  const schema = changeSample('schemas/form/schema.json', (c) => {
    (c as unknown as Schema).properties.detail = { type: 'string', minLength: 3 };
  })['schemas/form/schema.json'];
  const files = (showErrors: string) => ({
    ...changeSample('schemas/form/ui.json', (c) => {
      const ui = c as unknown as Ui;
      ui.showErrors = showErrors;
      ui.fields.email!['ui:options'] = { transform: 'lowercase' };
      ui.fields.detail = { 'ui:title': 'Detalle' };
      ui.visible.detail = { var: 'form.extra' };
    }),
    'schemas/form/ui.pt.json': changeSample('schemas/form/ui.pt.json', (c) => {
      (c as unknown as Ui).fields.detail = { 'ui:title': 'Detalhe' };
    })['schemas/form/ui.pt.json'],
    'schemas/form/schema.json': schema,
  });
  blur = (await loadScreens(files('blur'))).form!;
  change = (await loadScreens(files('change'))).form!;
});

const fine = { email: 'a@b.uy', repeat: 'a@b.uy', kind: 'a', terms: true };

function open(values: ValuesByName = {}, screen = blur): FormModel {
  const draft = screen.open(values, {});
  if (!draft) throw new Error('The form has fields.');
  return draft;
}
const set = (draft: FormModel, name: string, value: unknown) => draft.field(name)?.set(value);
const error = (draft: FormModel, name: string) => draft.field(name)?.error;
const errors = (draft: FormModel) =>
  Object.fromEntries(
    [...draft.fields].filter(([, field]) => field.error !== null).map(([name, field]) => [name, field.error]),
  );

describe('[REG-02] readiness of a form', () => {
  test.each([
    ['an empty form', {}, false],
    ['valid required values', { email: 'a@b.uy', terms: true }, true],
    ['a missing required value', { email: 'a@b.uy' }, false],
    ['an invalid optional value', { ...fine, secret: 'corto' }, false],
    ['two values that must match but differ', { ...fine, repeat: 'otro' }, false],
    ['an empty text in a required field', { ...fine, email: '' }, false],
    ['an invalid value in a hidden field', { ...fine, detail: 'x' }, true],
  ])('is computed for %s', (_, values, ready) => {
    expect(open(values).ready).toBe(ready);
  });

  test('follows the values and notifies observers only when it changes', () => {
    const draft = open({ email: 'a@b.uy' });
    const told: boolean[] = [];
    const stop = autorun(() => told.push(draft.ready));
    for (const value of ['a', 'ab', 'ab@']) set(draft, 'email', value);
    set(draft, 'terms', true);
    set(draft, 'kind', 'a');
    set(draft, 'repeat', 'x');
    stop();
    expect(told).toEqual([false, true, false]);
  });
});

describe('[VAL-10] missing count of a form', () => {
  test('counts empty required fields and invalid values', () => {
    const draft = open({});
    const told: number[] = [];
    const stop = autorun(() => told.push(draft.incomplete));
    for (const value of ['a', 'a@', 'a@b.uy']) set(draft, 'email', value);
    set(draft, 'kind', 'a');
    set(draft, 'terms', true);
    set(draft, 'repeat', 'x');
    stop();
    expect(told).toEqual([2, 1, 0, 1]);
  });
});

describe('[VAL-10] error messages of fields', () => {
  test('appear on blur, not while typing, and disappear with the next keystroke', () => {
    const draft = open();
    set(draft, 'email', 'a');
    expect(error(draft, 'email')).toBeNull();
    draft.field('email')?.blur();
    expect(error(draft, 'email')).toBe('Forma');
    set(draft, 'email', 'ab');
    expect(error(draft, 'email'), 'no error while the value is typed').toBeNull();
    draft.field('email')?.blur();
    expect(error(draft, 'email')).toBe('Forma');
  });

  test('[ENG-17] report an untouched required field at the submit, and not on blur', () => {
    const draft = open();
    draft.field('email')?.blur();
    draft.field('secret')?.blur();
    expect(errors(draft)).toEqual({});
    draft.submit();
    expect(errors(draft)).toMatchObject({ email: 'Falta' });
    draft.reset();
    draft.field('email')?.blur();
    expect(errors(draft), 'no errors when the form opens').toEqual({});
  });

  test('report a cleared required field on blur, and no cleared optional field', () => {
    const draft = open();
    for (const name of ['email', 'secret']) {
      set(draft, name, 'a');
      set(draft, name, '');
      draft.field(name)?.blur();
    }
    expect(errors(draft)).toEqual({ email: 'Falta' });
  });

  test('appear at each keystroke with `showErrors: change`', () => {
    const draft = open({}, change);
    set(draft, 'email', 'a');
    expect(error(draft, 'email')).toBe('Forma');
    set(draft, 'email', 'a@b');
    expect(error(draft, 'email')).toBeNull();
  });

  test('follow the other field of a rule that compares two fields', () => {
    const draft = open({ email: 'a@b.uy', repeat: 'x@b.uy' });
    draft.field('repeat')?.blur();
    expect(error(draft, 'repeat')).not.toBeNull();
    set(draft, 'email', 'x@b.uy');
    expect(error(draft, 'repeat')).toBeNull();
    set(draft, 'email', 'y@b.uy');
    expect(error(draft, 'repeat'), 'error of a field that was left before').not.toBeNull();
  });

  test('leave an empty field valid for its widget', () => {
    const draft = open();
    expect(draft.field('email')?.invalid).toBe(false);
    set(draft, 'email', 'a');
    expect(draft.field('email')?.invalid).toBe(true);
  });
});

describe('[VAL-10] submit of a form', () => {
  test('shows every message and lists the invalid fields in their order', () => {
    const draft = open({ repeat: 'x', secret: 'corto' });
    expect(draft.submit()).toBeNull();
    expect(draft.refusedAtSubmit).toEqual(['email', 'repeat', 'secret', 'terms']);
    expect(Object.keys(errors(draft))).toEqual(['email', 'repeat', 'secret', 'terms']);
    expect(draft.field('email')?.quiet, 'only the error summary announces the error').toBe(true);
  });

  test('creates a new list of invalid fields each time, so that the error summary takes the focus', () => {
    const draft = open();
    draft.submit();
    const first = draft.refusedAtSubmit;
    draft.submit();
    expect(draft.refusedAtSubmit).toEqual(first);
    expect(draft.refusedAtSubmit).not.toBe(first);
  });

  test('returns the values without empty and hidden ones', () => {
    const draft = open({ ...fine, secret: '', detail: 'x' });
    expect(draft.submit()).toEqual({ data: fine });
    expect(draft.refusedAtSubmit).toEqual([]);
  });
});

describe('[ENG-02] visibility of fields', () => {
  test('keeps the value of a hidden field and sends it only while the field is visible', () => {
    const draft = open({ ...fine, kind: 'b', extra: 'largo' });
    expect(draft.field('extra')?.visible).toBe(true);
    set(draft, 'kind', 'a');
    expect([draft.field('extra')?.visible, draft.submit()]).toEqual([false, { data: fine }]);
    expect(draft.values).toMatchObject({ extra: 'largo' });
    set(draft, 'kind', 'b');
    expect(draft.submit()).toEqual({ data: { ...fine, kind: 'b', extra: 'largo' } });
  });

  test('propagates through a chain of fields', () => {
    const draft = open({ ...fine, kind: 'b', extra: 'x', detail: 'no' });
    expect([draft.field('detail')?.visible, draft.ready]).toEqual([true, false]);
    set(draft, 'kind', 'a');
    expect([draft.field('detail')?.visible, draft.ready]).toEqual([false, true]);
    set(draft, 'kind', 'b');
    expect([draft.field('detail')?.visible, draft.ready]).toEqual([true, false]);
  });

  test('settles rules that read each other as the server does', async () => {
    const unless = (name: string) => ({ '!': [{ var: `form.${name}` }] });
    const { definitions } = await loadProject(
      createFormFiles({
        schema: { type: 'object', properties: { one: { type: 'string' }, other: { type: 'string' } } },
        ui: {
          fields: { one: { 'ui:title': 'Uno' }, other: { 'ui:title': 'Otro' } },
          visible: { one: unless('other'), other: unless('one') },
        },
      }),
    );
    const draft = open({}, await importScreen(definitions!, 'sample'));
    const visible = () => ['one', 'other'].filter((name) => draft.field(name)?.visible);
    const seen = [visible()];
    for (const [name, value] of [
      ['one', 'x'],
      ['one', ''],
      ['other', 'y'],
    ] as const) {
      // prettier-ignore
      set(draft, name, value);
      seen.push(visible());
    }
    expect(seen).toEqual([['one', 'other'], ['one'], ['one', 'other'], ['other']]);
    expect(definitions!.check('sample', draft.values, { language: 'es', context: {} }).data).toEqual(
      draft.submit()?.data,
    );
  });

  test('propagates through a chain of fields when the form opens', () => {
    expect(open({ ...fine, extra: 'x', detail: 'si' }).field('detail')?.visible).toBe(false);
  });
});

describe('values of fields', () => {
  test('[ENG-18] are cleaned while typing, and the control shows the typed text until blur', () => {
    const draft = open();
    const email = draft.field('email')!;
    for (const typed of ['A', 'An', ' ANA@Correo.UY ']) {
      email.set(typed);
      expect([email.value, email.typed]).toEqual([typed.trim().toLowerCase(), typed]);
    }
    email.blur();
    expect([email.value, email.typed]).toEqual(['ana@correo.uy', 'ana@correo.uy']);
  });

  test('[ENG-18] are shown cleaned after a submit and after a reset', () => {
    const draft = open(fine);
    set(draft, 'email', 'A@B.UY');
    draft.submit();
    expect(draft.field('email')?.typed).toBe('a@b.uy');
    set(draft, 'email', '  ');
    expect([draft.field('email')?.value, draft.field('email')?.typed, draft.ready]).toEqual([undefined, '  ', false]);
    draft.reset();
    expect(draft.field('email')?.typed).toBe('a@b.uy');
  });

  test('keep a blank in the middle while typing', () => {
    const draft = open();
    const extra = draft.field('extra')!;
    for (const typed of ['ana', 'ana ', 'ana m']) extra.set(typed);
    expect([extra.value, extra.typed]).toEqual(['ana m', 'ana m']);
  });

  test('are cleaned when the form opens', () => {
    expect(open({ email: ' A@B.uy\u200b' }).field('email')?.value).toBe('a@b.uy');
  });

  test.each([
    ['an empty text', ''],
    ['null', null],
  ])('are undefined for %s', (_, value) => {
    const draft = open(fine);
    set(draft, 'email', value);
    expect([draft.field('email')?.value, draft.ready]).toEqual([undefined, false]);
  });

  test('notify no observer if the same value is set again', () => {
    const draft = open(fine);
    let told = 0;
    const stop = autorun(() => void (draft.field('email')?.value, (told += 1)));
    set(draft, 'email', 'a@b.uy');
    stop();
    expect(told).toBe(1);
  });
});

describe('[CLAVE-08 REG-07] error of the server', () => {
  test('is shown at its field, also after a blur, and blocks the submit until the field changes', () => {
    const draft = open(fine);
    draft.refuse({ email: 'Ya se usa' }, null);
    expect([error(draft, 'email'), draft.ready, draft.refusedAtSubmit]).toEqual(['Ya se usa', false, ['email']]);
    draft.field('email')?.blur();
    expect([error(draft, 'email'), draft.submit()]).toEqual(['Ya se usa', null]);
    set(draft, 'email', 'b@b.uy');
    expect(error(draft, 'email')).toBeNull();
    set(draft, 'repeat', 'b@b.uy');
    expect([draft.ready, draft.submit()]).toEqual([true, { data: { ...fine, email: 'b@b.uy', repeat: 'b@b.uy' } }]);
  });

  test('remains when other fields change', () => {
    const draft = open(fine);
    draft.refuse({ email: 'Ya se usa' }, null);
    set(draft, 'kind', 'b');
    expect(error(draft, 'email')).toBe('Ya se usa');
  });

  test('disappears when a field that its field depends on changes', () => {
    const draft = open(fine);
    draft.refuse({ repeat: 'No es de esa persona' }, null);
    set(draft, 'email', 'c@d.uy');
    expect(error(draft, 'repeat')).not.toBe('No es de esa persona');
  });

  test('is shown above the form until the next submit if it has no field', () => {
    const draft = open(fine);
    draft.refuse({}, 'No se pudo');
    expect([draft.formError, draft.ready, draft.refusedAtSubmit]).toEqual(['No se pudo', true, []]);
    draft.submit();
    expect(draft.formError).toBeNull();
  });

  test.each([
    ['unknown fields', { otro: 'Uno', nivel: 'Dos' }, 'Uno Dos', []],
    ['a hidden field', { extra: 'Mal' }, 'Mal', []],
    ['a field named like a method of every object', { constructor: 'Mal' }, 'Mal', []],
    ['one field of this form and an unknown one', { email: 'Mal', otro: 'Uno' }, 'Uno', ['email']],
  ])('is shown above the form or at its field for %s', (_, refused, formError, fields) => {
    const draft = open(fine);
    draft.refuse(refused, null);
    expect([draft.formError, draft.refusedAtSubmit]).toEqual([formError, fields]);
  });

  test('does not block the form once its field is hidden', () => {
    const draft = open({ ...fine, kind: 'b', extra: 'x' });
    draft.refuse({ extra: 'Mal' }, null);
    expect(draft.submit()).toBeNull();
    set(draft, 'kind', 'a');
    expect([draft.ready, draft.submit()]).toEqual([true, { data: fine }]);
  });

  test('is counted, so that widgets can renew one-use values', () => {
    const draft = open(fine);
    draft.refuse({}, 'No');
    draft.refuse({}, null);
    expect(draft.failures).toBe(2);
  });
});

describe('[ENG-02] beforeSubmit of a field', () => {
  test('is awaited, may set a value, and may refuse with a message that a later success removes', async () => {
    const draft = open(fine);
    const steps: string[] = [];
    const verdicts = [{ refused: 'Cancelado' }, undefined];
    const stop = draft.field('secret')?.beforeSubmit(async () => {
      steps.push('asked');
      const verdict = verdicts.shift();
      if (!verdict) draft.field('secret')?.set('una clave larga');
      return verdict;
    });
    const first = draft.prepare();
    expect(await draft.prepare(), 'a second call is rejected while the first one runs').toBe(false);
    expect(await first).toBe(false);
    expect([error(draft, 'secret'), draft.ready, draft.submit()?.data.secret]).toEqual(['Cancelado', true, undefined]);
    expect(await draft.prepare()).toBe(true);
    expect([error(draft, 'secret'), draft.submit()?.data.secret]).toEqual([null, 'una clave larga']);
    stop?.();
    expect([draft.prepare(), steps.length]).toEqual([true, 2]);
  });

  test('is not run for a hidden field', () => {
    const draft = open(fine);
    draft.field('detail')?.beforeSubmit(async () => ({ refused: 'x' }));
    expect(draft.prepare()).toBe(true);
  });
});
