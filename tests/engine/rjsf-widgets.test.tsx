// @vitest-environment happy-dom
import './support/count-components.ts';
import { getDefaultRegistry } from '@rjsf/core';
import { ariaDescribedByIds, type WidgetProps as RjsfWidgetProps } from '@rjsf/utils';
import { act, cleanup, fireEvent, screen as page } from '@testing-library/react';
import { Component, type ComponentType } from 'react';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildRjsfSchema } from '../../src/engine/react/field/rjsf-schema.ts';
import { createRjsfValidator } from '../../src/engine/react/field/form-layout.tsx';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { draw } from '../definitions/support/draw.tsx';
import { countRenderedComponents } from './support/count-components.ts';
import { loadScreens } from './support/loaded-screens.ts';
import { sampleProject, type Files } from './support/project.ts';

afterEach(cleanup);

/** Folders of plugins that the test replaces by widgets written for rjsf. */
const folders = {
  text: 'document-number',
  select: 'document-type',
  check: 'captcha',
  stars: 'file',
  whole: 'password',
};

const files: Files = {
  ...Object.fromEntries(Object.entries(sampleProject).filter(([path]) => !path.endsWith('.pt.json'))),
  'schemas/_shared/messages.json': {
    ...(sampleProject['schemas/_shared/messages.json'] as object),
    maximum: 'Hasta {limit}',
  },
  'schemas/form/schema.json': {
    type: 'object',
    required: ['email', 'terms'],
    properties: {
      email: { type: 'string', minLength: 3 },
      kind: { type: 'string', enum: ['a', 'b'] },
      extra: { type: 'string', enum: ['x', 'y'] },
      terms: { type: 'boolean', const: true },
      rating: { type: 'integer', maximum: 4 },
      class: { type: 'string', writeOnly: true },
    },
  },
  'schemas/form/ui.json': {
    title: 'Formulario',
    fields: {
      email: { 'ui:title': 'Correo', 'ui:help': 'El tuyo', 'ui:widget': folders.text, 'ui:autocomplete': 'email' },
      kind: { 'ui:title': 'Tipo', 'ui:widget': folders.select, 'ui:enumNames': ['Uno', 'Dos'] },
      extra: { 'ui:title': 'Más', 'ui:widget': 'radio', 'ui:enumNames': ['Equis', 'Ye'] },
      terms: { 'ui:title': 'Acepto', 'ui:widget': folders.check, 'ui:options': { labelled: 'self' } },
      rating: { 'ui:title': 'Puntaje', 'ui:widget': folders.stars, 'ui:options': { accept: '*' } },
      class: { 'ui:title': 'Clase', 'ui:widget': folders.whole },
    },
    actions: [{ event: 'submit', text: 'Enviar', primary: true }],
    notices: { again: { intent: 'warning', text: 'De nuevo' } },
  },
};

// A widget like those of community packages: it uses only the props of rjsf, has its options in `defaultProps`, and
// renders one button per value.
function StarRating({ id, value, options, disabled, readonly, rawErrors, onChange, onBlur, label }: RjsfWidgetProps) {
  const { stars, accept: icon } = options as { stars: number; accept: string }; // an option that the replaced plugin declares
  return (
    <div id={id} role="group" aria-label={label} aria-describedby={ariaDescribedByIds(id)}>
      {Array.from({ length: stars }, (_, index) => (
        <button
          key={index}
          type="button"
          aria-pressed={value === index + 1}
          disabled={disabled || readonly}
          onClick={() => onChange(index + 1)}
          onBlur={() => onBlur(id, value)}
        >
          {icon} {index + 1}
        </button>
      ))}
      {rawErrors && <output>{rawErrors.join()}</output>}
    </div>
  );
}
StarRating.defaultProps = { options: { stars: 5, accept: 'o' } };

class ClassInput extends Component<RjsfWidgetProps> {
  override render() {
    const { id, value, onChange } = this.props;
    return <input id={id} value={String(value ?? '')} onChange={({ target }) => onChange(target.value)} />;
  }
}

const { TextWidget, SelectWidget, CheckboxWidget, RadioWidget } = getDefaultRegistry().widgets;
let form: LoadedScreen;
beforeAll(async () => {
  const loaded = (await loadScreens(files))['form']!;
  const widgets: Record<string, ComponentType<RjsfWidgetProps> | undefined> = {
    [folders.text]: TextWidget,
    [folders.select]: SelectWidget,
    [folders.check]: CheckboxWidget,
    [folders.stars]: StarRating,
    [folders.whole]: ClassInput,
  };
  form = { ...loaded, widgets };
});

async function show(values: Readonly<Record<string, unknown>> = {}) {
  const draft = form.open(values, {})!;
  await draw(form, draft, {});
  return draft;
}

describe('[ENG-01] unchanged rjsf widgets as widgets of a plugin', () => {
  test('TextWidget has its value, label, autocomplete, error and descriptions', async () => {
    const draft = await show({ email: 'ana' });
    const input = page.getByRole<HTMLInputElement>('textbox', { name: 'Correo' });
    expect([input.id, input.name, input.value, input.getAttribute('autocomplete')]).toEqual([
      'field-email',
      'email',
      'ana',
      'email',
    ]);
    fireEvent.change(input, { target: { value: 'an' } });
    expect(draft.field('email')?.value).toBe('an');
    fireEvent.blur(input);
    const describedBy = input.getAttribute('aria-describedby')?.split(' ') ?? [];
    const said = describedBy.map((id) => document.getElementById(id)?.textContent ?? '').filter((text) => text !== '');
    expect([input.getAttribute('aria-invalid'), said.sort()]).toEqual(['true', ['El tuyo', 'Mínimo 3']]);
    fireEvent.change(input, { target: { value: '' } });
    expect(draft.field('email')?.value).toBeUndefined();
  });

  test('TextWidget renders at most 4 components for a keystroke', async () => {
    await show();
    const input = page.getByRole('textbox', { name: 'Correo' });
    const drawn = countRenderedComponents(() => act(() => void fireEvent.change(input, { target: { value: 'x' } })));
    expect(drawn).toBeGreaterThan(0);
    expect(drawn).toBeLessThanOrEqual(4);
  });

  test('SelectWidget offers the choices of the schema with the names of the UI schema', async () => {
    const draft = await show();
    const select = page.getByRole<HTMLSelectElement>('combobox', { name: /^Tipo/ });
    expect([...select.options].map(({ text }) => text)).toEqual(['', 'Uno', 'Dos']);
    fireEvent.change(select, { target: { value: select.options[2]!.value } });
    expect([draft.field('kind')?.value, select.selectedOptions[0]?.text]).toEqual(['b', 'Dos']);
  });

  test('CheckboxWidget is ticked only by its value, never by the const of its schema', async () => {
    const draft = await show();
    const box = page.getByRole<HTMLInputElement>('checkbox', { name: /^Acepto/ });
    expect(box.checked).toBe(false);
    fireEvent.click(box);
    expect([draft.field('terms')?.value, box.checked]).toEqual([true, true]);
  });

  test('RadioWidget sets the chosen value', async () => {
    form = { ...form, widgets: { ...form.widgets, [folders.select]: RadioWidget } };
    const draft = await show();
    const group = page.getByRole('radiogroup');
    fireEvent.click(page.getByRole('radio', { name: 'Uno' }));
    expect([group.id, draft.field('kind')?.value]).toEqual(['field-kind', 'a']);
  });
});

describe('[ENG-01] widget in the style of a community package', () => {
  test('uses its default options, those of ui.json over them, and the errors of its field', async () => {
    const draft = await show();
    expect(page.getAllByRole('button', { name: /^\* [1-5]$/ })).toHaveLength(5);
    fireEvent.click(page.getByRole('button', { name: '* 5' }));
    fireEvent.blur(page.getByRole('button', { name: '* 5' }));
    expect([draft.field('rating')?.value, page.getByRole('group', { name: 'Puntaje' }).lastChild?.textContent]).toEqual(
      [5, 'Hasta 4'],
    );
  });

  test('can be a class component', async () => {
    const draft = await show();
    fireEvent.change(page.getByRole('textbox', { name: /^Clase/ }), { target: { value: 'x' } });
    expect(draft.field('class')?.value).toBe('x');
  });
});

test('[ENG-03] createRjsfValidator uses the compiled validators for the schema and its parts', () => {
  const { validator } = form;
  const schema = buildRjsfSchema(validator.screen);
  const { validateFormData, isValid } = bind(createRjsfValidator(validator, schema));
  expect(validateFormData({ email: 'ana', terms: true }, schema).errors).toEqual([]);
  expect(
    validateFormData({ email: 'a', rating: 9 }, schema).errors.map(({ name, property }) => [property, name]),
  ).toEqual([
    ['.email', 'minLength'],
    ['terms', 'required'],
    ['.rating', 'maximum'],
  ]);
  const rating = schema.properties?.['rating'] as object;
  expect([isValid(rating, 4, schema), isValid(rating, 5, schema)]).toEqual([true, false]);
  expect(() => isValid({ type: 'string', const: 'other' }, 'x', schema)).toThrow('No precompiled validator');
});

function bind(validator: ReturnType<typeof createRjsfValidator>) {
  return {
    validateFormData: validator.validateFormData.bind(validator),
    isValid: validator.isValid.bind(validator),
  };
}
