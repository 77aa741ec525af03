import { autorun } from 'mobx';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Values } from '../../src/engine/core/json.ts';
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

function open(values: Values = {}, screen = blur): FormModel {
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

describe('[REG-02] a form is ready', () => {
  test.each([
    ['not when empty', {}, false],
    ['with the required and right values', { email: 'a@b.uy', terms: true }, true],
    ['not without one of them', { email: 'a@b.uy' }, false],
    ['not when an optional value is wrong', { ...fine, secret: 'corto' }, false],
    ['not when two values disagree', { ...fine, repeat: 'otro' }, false],
    ['not with an empty text', { ...fine, email: '' }, false],
    ['whatever a hidden field holds', { ...fine, detail: 'x' }, true],
  ])('%s', (_, values, ready) => {
    expect(open(values).ready).toBe(ready);
  });

  test('follows what is typed, and tells only when it turns', () => {
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

describe('[VAL-10] what a form still wants', () => {
  test('is counted: what lacks and what is wrong, but for hidden fields', () => {
    const draft = open({});
    const told: number[] = [];
    const stop = autorun(() => told.push(draft.missing));
    for (const value of ['a', 'a@', 'a@b.uy']) set(draft, 'email', value);
    set(draft, 'kind', 'a');
    set(draft, 'terms', true);
    set(draft, 'repeat', 'x');
    stop();
    expect(told).toEqual([2, 1, 0, 1]);
  });
});

test('[VAL-10] what is wrong and said so is counted, and not what is missing or being typed', () => {
  const draft = open({ terms: true });
  const counts: number[][] = [];
  const stop = autorun(() => counts.push([draft.missing, draft.wrong]));
  set(draft, 'email', 'a');
  draft.field('email')?.blur();
  set(draft, 'email', 'ab');
  draft.submit();
  set(draft, 'email', 'a@b.uy');
  draft.refuse({ email: 'Ya se usa' }, null);
  set(draft, 'email', undefined);
  draft.submit();
  stop();
  const steps = [[1, 0], [1, 1], [1, 0], [1, 1], [0, 0], [1, 1], [1, 0]]; // prettier-ignore
  expect(counts).toEqual(steps);
});

describe('[VAL-10] messages', () => {
  test('come when a field is left, not while it is typed, and go with the next key', () => {
    const draft = open();
    set(draft, 'email', 'a');
    expect(error(draft, 'email')).toBeNull();
    draft.field('email')?.blur();
    expect(error(draft, 'email')).toBe('Forma');
    set(draft, 'email', 'ab');
    expect(error(draft, 'email'), 'still wrong, but being typed').toBeNull();
    draft.field('email')?.blur();
    expect(error(draft, 'email')).toBe('Forma');
  });

  test('[ENG-17] a required field that nobody typed in says so at the submit, and not when it is left', () => {
    const draft = open();
    draft.field('email')?.blur();
    draft.field('secret')?.blur();
    expect(errors(draft)).toEqual({});
    draft.submit();
    expect(errors(draft)).toMatchObject({ email: 'Falta' });
    draft.reset();
    draft.field('email')?.blur();
    expect(errors(draft), 'as it was opened').toEqual({});
  });

  test('a required field that was emptied says so when it is left; an optional one does not', () => {
    const draft = open();
    for (const name of ['email', 'secret']) {
      set(draft, name, 'a');
      set(draft, name, '');
      draft.field(name)?.blur();
    }
    expect(errors(draft)).toEqual({ email: 'Falta' });
  });

  test('come at each key where the screen asks for it', () => {
    const draft = open({}, change);
    set(draft, 'email', 'a');
    expect(error(draft, 'email')).toBe('Forma');
    set(draft, 'email', 'a@b');
    expect(error(draft, 'email')).toBeNull();
  });

  test('of a field that another one contradicts follow that one', () => {
    const draft = open({ email: 'a@b.uy', repeat: 'x@b.uy' });
    draft.field('repeat')?.blur();
    expect(error(draft, 'repeat')).not.toBeNull();
    set(draft, 'email', 'x@b.uy');
    expect(error(draft, 'repeat')).toBeNull();
    set(draft, 'email', 'y@b.uy');
    expect(error(draft, 'repeat'), 'it was left before').not.toBeNull();
  });

  test('an empty field is no wrong one for its widget', () => {
    const draft = open();
    expect(draft.field('email')?.invalid).toBe(false);
    set(draft, 'email', 'a');
    expect(draft.field('email')?.invalid).toBe(true);
  });
});

describe('[VAL-10] a submit', () => {
  test('that is refused shows every message and lists the fields in their order', () => {
    const draft = open({ repeat: 'x', secret: 'corto' });
    expect(draft.submit()).toBeNull();
    expect(draft.refusedAtSubmit).toEqual(['email', 'repeat', 'secret', 'terms']);
    expect(Object.keys(errors(draft))).toEqual(['email', 'repeat', 'secret', 'terms']);
    expect(draft.field('email')?.quiet, 'the summary speaks').toBe(true);
  });

  test('makes a new list each time, so that the summary takes the focus again', () => {
    const draft = open();
    draft.submit();
    const first = draft.refusedAtSubmit;
    draft.submit();
    expect(draft.refusedAtSubmit).toEqual(first);
    expect(draft.refusedAtSubmit).not.toBe(first);
  });

  test('answers the values that count', () => {
    const draft = open({ ...fine, secret: '', detail: 'x' });
    expect(draft.submit()).toEqual({ data: fine });
    expect(draft.refusedAtSubmit).toEqual([]);
  });
});

describe('[ENG-02] visibility', () => {
  test('keeps what was typed and sends it only while it is seen', () => {
    const draft = open({ ...fine, kind: 'b', extra: 'largo' });
    expect(draft.field('extra')?.visible).toBe(true);
    set(draft, 'kind', 'a');
    expect([draft.field('extra')?.visible, draft.submit()]).toEqual([false, { data: fine }]);
    expect(draft.values).toMatchObject({ extra: 'largo' });
    set(draft, 'kind', 'b');
    expect(draft.submit()).toEqual({ data: { ...fine, kind: 'b', extra: 'largo' } });
  });

  test('follows a chain: what hides one hides what it shows', () => {
    const draft = open({ ...fine, kind: 'b', extra: 'x', detail: 'no' });
    expect([draft.field('detail')?.visible, draft.ready]).toEqual([true, false]);
    set(draft, 'kind', 'a');
    expect([draft.field('detail')?.visible, draft.ready]).toEqual([false, true]);
    set(draft, 'kind', 'b');
    expect([draft.field('detail')?.visible, draft.ready]).toEqual([true, false]);
  });

  test('follows rules that read each other, as the server does', async () => {
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

  test('follows a chain when the form opens', () => {
    expect(open({ ...fine, extra: 'x', detail: 'si' }).field('detail')?.visible).toBe(false);
  });
});

describe('values', () => {
  test('[ENG-18] are cleaned as they are typed, and their control keeps what was typed until it is left', () => {
    const draft = open();
    const email = draft.field('email')!;
    for (const typed of ['A', 'An', ' ANA@Correo.UY ']) {
      email.set(typed);
      expect([email.value, email.typed]).toEqual([typed.trim().toLowerCase(), typed]);
    }
    email.blur();
    expect([email.value, email.typed]).toEqual(['ana@correo.uy', 'ana@correo.uy']);
  });

  test('[ENG-18] are shown cleaned once they are sent, or taken back', () => {
    const draft = open(fine);
    set(draft, 'email', 'A@B.UY');
    draft.submit();
    expect(draft.field('email')?.typed).toBe('a@b.uy');
    set(draft, 'email', '  ');
    expect([draft.field('email')?.value, draft.field('email')?.typed, draft.ready]).toEqual([undefined, '  ', false]);
    draft.reset();
    expect(draft.field('email')?.typed).toBe('a@b.uy');
  });

  test('a blank in the middle of a text stays while it is typed', () => {
    const draft = open();
    const extra = draft.field('extra')!;
    for (const typed of ['ana', 'ana ', 'ana m']) extra.set(typed);
    expect([extra.value, extra.typed]).toEqual(['ana m', 'ana m']);
  });

  test('that the form is opened with are cleaned', () => {
    expect(open({ email: ' A@B.uy\u200b' }).field('email')?.value).toBe('a@b.uy');
  });

  test.each([
    ['an empty text', ''],
    ['null', null],
  ])('%s is no value', (_, value) => {
    const draft = open(fine);
    set(draft, 'email', value);
    expect([draft.field('email')?.value, draft.ready]).toEqual([undefined, false]);
  });

  test('the same value again tells nobody', () => {
    const draft = open(fine);
    let told = 0;
    const stop = autorun(() => void (draft.field('email')?.value, (told += 1)));
    set(draft, 'email', 'a@b.uy');
    stop();
    expect(told).toBe(1);
  });
});

describe('[CLAVE-08 REG-07] a refusal of the server', () => {
  test('stands at its field, also when the field is left, and blocks until it changes', () => {
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

  test('survives a change of other fields', () => {
    const draft = open(fine);
    draft.refuse({ email: 'Ya se usa' }, null);
    set(draft, 'kind', 'b');
    expect(error(draft, 'email')).toBe('Ya se usa');
  });

  test('goes with a change of the field that it depends on', () => {
    const draft = open(fine);
    draft.refuse({ repeat: 'No es de esa persona' }, null);
    set(draft, 'email', 'c@d.uy');
    expect(error(draft, 'repeat')).not.toBe('No es de esa persona');
  });

  test('without a field stands above the form until the next submit', () => {
    const draft = open(fine);
    draft.refuse({}, 'No se pudo');
    expect([draft.formError, draft.ready, draft.refusedAtSubmit]).toEqual(['No se pudo', true, []]);
    draft.submit();
    expect(draft.formError).toBeNull();
  });

  test.each([
    ['unknown fields', { otro: 'Uno', nivel: 'Dos' }, 'Uno Dos', []],
    ['a hidden field', { extra: 'Mal' }, 'Mal', []],
    ['a name that every object has', { constructor: 'Mal' }, 'Mal', []],
    ['one here, one elsewhere', { email: 'Mal', otro: 'Uno' }, 'Uno', ['email']],
  ])('at %s loses no message', (_, refused, formError, fields) => {
    const draft = open(fine);
    draft.refuse(refused, null);
    expect([draft.formError, draft.refusedAtSubmit]).toEqual([formError, fields]);
  });

  test('at a field that is hidden afterwards blocks nobody', () => {
    const draft = open({ ...fine, kind: 'b', extra: 'x' });
    draft.refuse({ extra: 'Mal' }, null);
    expect(draft.submit()).toBeNull();
    set(draft, 'kind', 'a');
    expect([draft.ready, draft.submit()]).toEqual([true, { data: fine }]);
  });

  test('is counted, so that a one-use answer is renewed', () => {
    const draft = open(fine);
    draft.refuse({}, 'No');
    draft.refuse({}, null);
    expect(draft.failures).toBe(2);
  });
});

describe('[ENG-02] what a widget does before a submit', () => {
  test('is awaited, may store a value and may refuse with a message, which refuses no later try', async () => {
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
    expect(await draft.prepare(), 'another one meanwhile').toBe(false);
    expect(await first).toBe(false);
    expect([error(draft, 'secret'), draft.ready, draft.submit()?.data.secret]).toEqual(['Cancelado', true, undefined]);
    expect(await draft.prepare()).toBe(true);
    expect([error(draft, 'secret'), draft.submit()?.data.secret]).toEqual([null, 'una clave larga']);
    stop?.();
    expect([draft.prepare(), steps.length]).toEqual([true, 2]);
  });

  test('of a field that is hidden is not done', () => {
    const draft = open(fine);
    draft.field('detail')?.beforeSubmit(async () => ({ refused: 'x' }));
    expect(draft.prepare()).toBe(true);
  });
});
