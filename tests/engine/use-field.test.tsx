// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen as page } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { createForm } from '../../src/engine/index.ts';
import { useField } from '../../src/engine/react.ts';
import { createObjectSchema, createTitledFields } from './samples/sample-types.ts';
import { importScreen } from './support/loaded-screens.ts';
import { loadProject } from './support/project.ts';
import { createFormFiles } from './support/sample-form.ts';

afterEach(cleanup);

async function openForm() {
  const files = createFormFiles({
    schema: createObjectSchema({ edad: { type: 'integer', minimum: 18 } }, ['edad']),
    ui: { fields: createTitledFields({ edad: 'Edad' }) },
  });
  const { definitions, problems } = await loadProject(files);
  if (!definitions) throw new Error(JSON.stringify(problems));
  return createForm(await importScreen(definitions, 'sample'));
}

test('[ENG-13] useField provides label, typed number and error of a field that a page renders itself', async () => {
  const form = await openForm();
  function Age() {
    const { label, typed, error, set, blur } = useField(form, 'edad');
    return (
      <label>
        {label}
        <input value={String(typed ?? '')} onChange={({ target }) => set(target.value)} onBlur={blur} />
        <output>{error}</output>
      </label>
    );
  }
  render(<Age />);
  const control = page.getByRole('textbox', { name: /^Edad/ });
  fireEvent.change(control, { target: { value: '17' } });
  fireEvent.blur(control);
  expect([form.model.values, page.getByRole('status').textContent]).toEqual([
    { edad: 17 },
    expect.stringMatching(/18/),
  ]);
  fireEvent.change(control, { target: { value: '18' } });
  expect([form.model.values, page.getByRole('status').textContent]).toEqual([{ edad: 18 }, '']);
});

test('[ENG-13] useField lists the choices of a field with their labels, also in a list item', async () => {
  const choice = { type: 'string', enum: ['a', 'b'] };
  const list = { type: 'array', maxItems: 2, items: createObjectSchema({ tipo: choice }, ['tipo']) };
  const labels = { 'ui:title': 'Tipo', 'ui:enumNames': ['Uno', 'Dos'] };
  const files = createFormFiles({
    schema: createObjectSchema({ tipo: choice, personas: list }),
    ui: {
      fields: { tipo: labels, personas: { 'ui:title': 'Personas', items: { 'ui:title': 'Persona', tipo: labels } } },
    },
  });
  const { definitions, problems } = await loadProject(files);
  if (!definitions) throw new Error(JSON.stringify(problems));
  const form = createForm(await importScreen(definitions, 'sample'), { personas: [{ tipo: 'a' }] });
  const Choices = ({ name }: { name: string }) => <p>{JSON.stringify(useField(form, name).choices)}</p>;
  const shown = ['tipo', 'personas.0.tipo'].map((name) => {
    const { container } = render(<Choices name={name} />);
    return JSON.parse(container.textContent) as unknown;
  });
  const both = [
    { value: 'a', label: 'Uno' },
    { value: 'b', label: 'Dos' },
  ];
  expect(shown).toEqual([both, both]);
});

test('[ENG-13] useField throws for a field that the form does not have', async () => {
  const form = await openForm();
  function Other() {
    return <>{useField(form, 'nadie').label}</>;
  }
  expect(() => render(<Other />)).toThrow('The form has no field nadie.');
});
