// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openDefinitions } from '../../src/engine/compiler/open-definitions.ts';
import { definitionOptions } from '../../src/server/app/definition-options.ts';
import type { StudioFacts } from '../../src/studio/dev-data.ts';
import { FieldEditForm } from '../../src/studio/editor/edits/field-edit-form.tsx';
import type { Studio } from '../../src/studio/editor/use-studio.ts';
import { DefinitionWriter } from '../../src/studio/server/definition-writer.ts';
import { readStudioFacts, readStudioSet } from '../../src/studio/server/read-studio.ts';
import type { StudioSet } from '../../src/studio/studio-data.ts';
import { root } from '../definitions/support/fixtures.ts';

let set: StudioSet;
let facts: StudioFacts;
let writer: DefinitionWriter;

beforeAll(async () => {
  const definitions = await openDefinitions(definitionOptions(root));
  set = { ...(await readStudioSet(root, definitions)), history: { undo: null, redo: null } };
  facts = await readStudioFacts(root);
  writer = new DefinitionWriter(definitionOptions(root), definitions.cache);
});
afterEach(cleanup);

function opened(name: string, field: string) {
  const look = vi.fn<Studio['look']>((changes) => writer.write({ changes, dryRun: true }));
  const studio = { set, busy: false, pending: {}, look } as unknown as Studio; // what the form uses of it
  render(<FieldEditForm studio={studio} facts={facts} screen={name} field={field} onDone={vi.fn()} />);
  return look;
}

async function looked(look: ReturnType<typeof opened>) {
  fireEvent.click(screen.getByRole('button', { name: 'Ver qué cambia' }));
  await vi.waitFor(() => expect(look).toHaveBeenCalledTimes(1));
  const [[changes] = []] = look.mock.calls;
  const answer = await look.mock.results[0]?.value;
  return [(changes ?? []).map(({ file, edits }) => [file, edits]), answer?.outcome];
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test('[EST-15] a rule of a plugin is shown with what it says, and its number is changed', async () => {
  const look = opened('firma-digital-firmar', 'archivo');
  expect(screen.getByRole('group', { name: 'file: No pudimos leer ese archivo. Elegilo de nuevo.' })).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Parámetro de file: maxKb').value).toBe('2048');
  type('Parámetro de file: maxKb', '1024');
  expect(await looked(look)).toEqual([
    [['schemas/firma-digital-firmar/schema.json', [{ pointer: '/properties/archivo/file', value: { maxKb: 1024 } }]]],
    'fine',
  ]);
});

test('[EST-15] a rule of a plugin is removed; what is no text or number is shown, and so is what a definition says', async () => {
  const look = opened('registro-contrasena', 'password');
  expect(screen.getByText(/^fields: email, numero_documento, /)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Parámetro de notSimilarTo: threshold')).toBeTruthy();
  expect(screen.getByText(/^notCommon: Esa contraseña es muy común. .*password\.json new/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Quitar la regla «notSimilarTo»' }));
  expect(screen.queryByLabelText('Parámetro de notSimilarTo: threshold')).toBeNull();
  const [changes] = await looked(look);
  expect(changes).toEqual([
    ['schemas/registro-contrasena/schema.json', [{ pointer: '/properties/password/notSimilarTo' }]],
  ]);
});
