// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { FieldEditForm } from '../../src/studio/editor/edits/field-edit-form.tsx';
import { ScreenFormPanel } from '../../src/studio/editor/panels/screen-form-panel.tsx';
import { readStudioCases } from '../../src/studio/server/read-studio-definitions.ts';
import { root } from '../definitions/support/fixtures.ts';
import {
  applyPreviewed,
  openStudio,
  press,
  previewTimeout,
  createRecordingStudio,
  type,
  renderInStudio,
} from './support/open-studio.ts';

let own: Awaited<ReturnType<typeof openStudio>>;
beforeAll(async () => {
  own = await openStudio();
});
afterEach(cleanup);

test('[EST-15] FieldEditForm overrides a shared rule for one screen, with its message, texts, widget and links', async () => {
  const { studio, write } = createRecordingStudio(own);
  renderInStudio(studio, <FieldEditForm screen="contacto" field="telefono" onDone={vi.fn()} />);
  const limit = screen.getByLabelText<HTMLInputElement>('Como máximo estos caracteres (lo dice phone.json number)');
  expect([limit.value, limit.placeholder]).toEqual(['', '24']);
  type('Como máximo estos caracteres (lo dice phone.json number)', '23');
  type('Mensaje de «Como máximo estos caracteres» en español', 'Es muy largo.');
  type('Mensaje de «Como máximo estos caracteres» en portugués', 'É longo demais.');
  type('Nombre en español', 'Celular');
  type('Nombre en portugués', 'Telemóvel');
  type('Texto del campo vacío en español', '');
  type('Control', 'tel');
  type('Enlaces, uno por línea: dirección = español = portugués', '/ayuda = Dudas = Dúvidas');
  expect(await applyPreviewed(write)).toEqual({
    'schemas/contacto/schema.json': [{ pointer: '/properties/telefono/maxLength', value: 23 }],
    'schemas/contacto/ui.json': [
      { pointer: '/messages/telefono/maxLength', value: 'Es muy largo.' },
      { pointer: '/fields/telefono/ui:title', value: 'Celular' },
      { pointer: '/fields/telefono/ui:placeholder' },
      { pointer: '/fields/telefono/ui:widget', value: 'tel' },
      { pointer: '/fields/telefono/ui:links', value: [{ to: '/ayuda', text: 'Dudas' }] },
    ],
    'schemas/contacto/ui.pt.json': [
      { pointer: '/messages/telefono/maxLength', value: 'É longo demais.' },
      { pointer: '/fields/telefono/ui:title', value: 'Telemóvel' },
      { pointer: '/fields/telefono/ui:placeholder' },
      { pointer: '/fields/telefono/ui:links', value: { '/ayuda': 'Dúvidas' } },
    ],
  });
});

test('[EST-15] FieldEditForm changes a shared definition everywhere, and first shows affected screens and cases', async () => {
  const { studio, write } = createRecordingStudio(own);
  renderInStudio(studio, <FieldEditForm screen="contacto" field="telefono" onDone={vi.fn()} />);
  const where = screen.getByLabelText<HTMLSelectElement>('Dónde');
  expect([...where.options].map(({ text }) => text)).toEqual([
    'Solo aquí',
    expect.stringMatching(/^En todas: phone.json number, pantallas: \d+$/),
  ]);
  type('Dónde', '1');
  expect(screen.getByText(/^Cambia en: .*Contacto/)).toBeTruthy();
  const limit = screen.getByLabelText<HTMLInputElement>('Como máximo estos caracteres');
  expect(limit.value).toBe('24');
  type('Como máximo estos caracteres', '5');
  type('Ayuda en portugués', 'Com o código do país.');
  press('Ver qué cambia');
  const told = await screen.findByRole('status', {}, previewTimeout);
  expect(told.textContent).toContain('Estos casos esperan otra cosa.');
  const broken = within(told)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent ?? '');
  for (const cases of ['contacto', 'agenda-soporte'])
    expect(
      broken.some((line) => line.startsWith(`tests/fixtures/${cases}.json valid:`)),
      cases,
    ).toBe(true);
  expect(write).not.toHaveBeenCalled();
  type('Como máximo estos caracteres', '23');
  expect(await applyPreviewed(write), 'what was looked at was another').toEqual({
    'schemas/_shared/phone.json': [{ pointer: '/$defs/number/maxLength', value: 23 }],
    'schemas/_shared/phone.pt.json': [{ pointer: '/$defs/number/ui/ui:help', value: 'Com o código do país.' }],
  });
});

test('[EST-15] ScreenFormPanel shows the cases that a change of "Obligatorio" breaks, and asks only if there are any', async () => {
  const { studio, write } = createRecordingStudio(own);
  const cases = await readStudioCases(root, own.definitions, 'contacto');
  renderInStudio(studio, <ScreenFormPanel screen="contacto" cases={cases} />);
  const unnamed = screen.getByLabelText<HTMLInputElement>('Nombre: pais_emisor');
  expect([unnamed.value, unnamed.placeholder], 'title from the shared definition').toEqual([
    '',
    'País emisor del documento',
  ]);
  fireEvent.click(screen.getByLabelText('Obligatorio: asunto'));
  const form = await screen.findByRole('form', { name: 'Obligatorio: «Asunto»' }, previewTimeout);
  expect(within(form).getByRole('status').textContent).toContain(
    'empty: asunto: el caso espera «Este es un dato requerido» y las reglas no dicen nada.',
  );
  expect(write).not.toHaveBeenCalled();
  fireEvent.click(within(form).getByRole('button', { name: 'Aplicar' }));
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(1));
  expect(write.mock.calls[0]?.[0][0]?.edits).toEqual([{ pointer: '/required/6' }]);

  fireEvent.click(screen.getByLabelText('Obligatorio: logueado'));
  const held = await screen.findByRole('form', { name: 'Obligatorio: «logueado»' }, previewTimeout);
  expect(within(held).getByRole('status').textContent).toContain('logueado');
  vi.spyOn(studio, 'look').mockResolvedValue({ outcome: 'fine', files: [], partial: false, breaks: [] });
  fireEvent.click(screen.getByLabelText('Obligatorio: asunto'));
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(2));
});

test('[EST-15] FieldEditForm adds a choice in both languages, and previews changed choices', async () => {
  const { studio, write } = createRecordingStudio(own);
  renderInStudio(studio, <FieldEditForm screen="agenda-soporte" field="asunto" onDone={vi.fn()} />);
  const label = 'Opciones, una por línea: valor = español = portugués';
  const lines = screen.getByLabelText<HTMLTextAreaElement>(label).value.split('\n');
  expect(lines[0]).toBe('servicios = Servicios en línea = Serviços on-line');
  type(label, [...lines.slice(0, 1), 'firma = Firmar = Assinar', 'tramite = Un trámite = Um serviço', 'x'].join('\n'));
  press('Ver qué cambia');
  const told = await screen.findByRole('status', {}, previewTimeout);
  expect(told.textContent).toContain('schemas/agenda-soporte/schema.json');
  type(label, [...lines, 'tramite = Un trámite'].join('\n'));
  expect(await applyPreviewed(write)).toEqual({
    'schemas/agenda-soporte/schema.json': [
      { pointer: '/properties/asunto/enum', value: ['servicios', 'usuario', 'firma', 'otro', 'tramite'] },
    ],
    'schemas/agenda-soporte/ui.json': [
      {
        pointer: '/fields/asunto/ui:enumNames',
        value: ['Servicios en línea', 'Usuario gub uy', 'Firma digital', 'Otro', 'Un trámite'],
      },
    ],
    'schemas/agenda-soporte/ui.pt.json': [
      {
        pointer: '/fields/asunto/ui:enumNames',
        value: ['Serviços on-line', 'Usuario gub uy', 'Assinatura digital', 'Outro', 'Un trámite'],
      },
    ],
  });
});

test('[EST-15] FieldEditForm derives the value of a new choice from its text, and keeps known values', async () => {
  const { studio, write } = createRecordingStudio(own);
  renderInStudio(studio, <FieldEditForm screen="agenda-soporte" field="asunto" onDone={vi.fn()} />);
  const label = 'Opciones, una por línea: valor = español = portugués';
  type(label, `${screen.getByLabelText<HTMLTextAreaElement>(label).value}\nUn trámite`);
  expect(screen.getByText('Se guardan estos valores: servicios, usuario, firma, otro, un_tramite.')).toBeTruthy();
  const edits = await applyPreviewed(write);
  expect(edits['schemas/agenda-soporte/schema.json']).toEqual([
    { pointer: '/properties/asunto/enum', value: ['servicios', 'usuario', 'firma', 'otro', 'un_tramite'] },
  ]);
});

test('[EST-15] FieldEditForm keeps numeric choices as numbers', async () => {
  const { studio, write } = createRecordingStudio(own);
  renderInStudio(studio, <FieldEditForm screen="feedback" field="pregunta_1" onDone={vi.fn()} />);
  const label = 'Opciones, una por línea: valor = español = portugués';
  type(label, `${screen.getByLabelText<HTMLTextAreaElement>(label).value}\n5 = Cinco = Cinco`);
  const edits = await applyPreviewed(write);
  expect(edits['schemas/feedback/schema.json']).toEqual([
    { pointer: '/properties/pregunta_1/enum', value: [1, 2, 3, 4, 5] },
  ]);
});
