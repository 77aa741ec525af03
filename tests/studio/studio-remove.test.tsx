// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { parseScreenCases } from '../../src/cli/definitions/cases/screen-cases.ts';
import type { LiveDefinitions } from '../../src/engine/compiler/definitions.ts';
import { RemovalForm } from '../../src/studio/editor/edits/confirmed-edit-form.tsx';
import { listScreenRemovals } from '../../src/studio/editor/edits/screen-removals.ts';
import type { StudioContextValue } from '../../src/studio/editor/use-studio.ts';
import type { DefinitionWriter } from '../../src/studio/server/definition-writer.ts';
import { readStudioCases } from '../../src/studio/server/read-studio-definitions.ts';
import type { StudioDefinitions } from '../../src/studio/studio-api-types.ts';
import { root } from '../definitions/support/fixtures.ts';
import { openStudio, renderInStudio } from './support/open-studio.ts';

let definitions: LiveDefinitions;
let set: StudioDefinitions;
let writer: DefinitionWriter;

beforeAll(async () => {
  ({ definitions, set, writer } = await openStudio());
});
afterEach(cleanup);

async function findRemoval(screenName: string, name: string) {
  const found = listScreenRemovals(set, screenName, await readStudioCases(root, definitions, screenName));
  const own = found.find((one) => one.name === name);
  if (!own) throw new Error(`${name} is not among ${found.map((one) => one.name).join(', ')}`);
  return own;
}

test('[EST-06] removing a field removes its rules, its texts in both languages, its positions and its cases', async () => {
  const { changes } = await findRemoval('agenda-soporte', 'Campo «Número de teléfono (numero_telefono)»');
  const answer = await writer.writeChanges({ changes, dryRun: true });
  if (answer.outcome !== 'fine') throw new Error(JSON.stringify(answer));
  const texts = answer.files.map(({ text }) => text);
  const [cases = ''] = texts.splice(3);
  expect(answer.files.map(({ file }) => file)).toEqual([
    'schemas/agenda-soporte/schema.json',
    'schemas/agenda-soporte/ui.json',
    'schemas/agenda-soporte/ui.pt.json',
    'tests/fixtures/agenda-soporte.json',
  ]);
  expect(texts.filter((text) => text.includes('"numero_telefono"'))).toEqual([]);
  const { cases: list, malformedCases: misshapen } = parseScreenCases(cases);
  expect(misshapen).toEqual([]);
  expect(list.filter(({ data, errors }) => 'numero_telefono' in { ...data, ...errors })).toEqual([]);
  expect(cases).not.toMatch(/"without": \[[^\]]*"numero_telefono"/);
});

test('[EST-15] removing a field removes the cases that are only about it, and keeps the others', async () => {
  const { changes } = await findRemoval('contacto', 'Campo «Motivo solicitud»');
  const gone = changes.flatMap(({ file, edits = [] }) => (file.startsWith('tests/') ? edits : []));
  const pointers = gone.map(({ pointer }) => pointer);
  expect(pointers).toContain('/cases/message-2049');
  expect(pointers).not.toContain('/cases/message-2049/with/mensaje');
  expect(pointers).toContain('/cases/empty/errors/mensaje');
});

test('[EST-06] removing a button removes its translation and the transition of its event', async () => {
  const { changes } = await findRemoval('contrasena-restablecer-exito', 'Botón «Iniciar sesión»');
  expect(changes.map(({ file, edits }) => [file, edits])).toEqual([
    ['schemas/contrasena-restablecer-exito/ui.json', [{ pointer: '/actions/0' }]],
    ['schemas/contrasena-restablecer-exito/ui.pt.json', [{ pointer: '/actions/login' }]],
    ['flows/contrasena.json', [{ pointer: '/states/exito/on/login' }]],
  ]);
});

test('[EST-06] RemovalForm shows affected files and dependencies before it writes anything', async () => {
  const held = await findRemoval('contacto', 'Campo «Asunto»');
  const free = await findRemoval('agenda-soporte', 'Campo «Número de teléfono (numero_telefono)»');
  const look = vi.fn<StudioContextValue['look']>((changes) => writer.writeChanges({ changes, dryRun: true }));
  const write = vi.fn<StudioContextValue['write']>(() => Promise.resolve(true));
  const onDone = vi.fn();
  const studio = { set, busy: false, look, write } as unknown as StudioContextValue; // a partial fake: the form uses only these properties
  renderInStudio(studio, <RemovalForm removals={[held, free]} onDone={onDone} />);
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  press('Ver qué cambia');
  expect((await screen.findByRole('status', {}, { timeout: 20_000 })).textContent).toContain(
    'schemas/contacto/ui.json: Campo «Asunto»',
  );
  expect(screen.getByRole('alert').textContent).toContain('asunto');
  expect(screen.queryByRole('button', { name: 'Quitar' })).toBeNull();

  fireEvent.change(screen.getByLabelText('Qué'), { target: { value: '1' } });
  press('Ver qué cambia');
  fireEvent.click(await screen.findByRole('button', { name: 'Quitar' }, { timeout: 20_000 }));
  await vi.waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(write.mock.calls).toEqual([[free.changes]]);
});
