// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ButtonEditForm, TransitionTargetEditForm } from '../../src/studio/editor/edits/element-edit-forms.tsx';
import { applyPreviewed, openStudio, createRecordingStudio, type, renderInStudio } from './support/open-studio.ts';

let own: Awaited<ReturnType<typeof openStudio>>;
beforeAll(async () => {
  own = await openStudio();
});
afterEach(cleanup);

test('[EST-15] TransitionTargetEditForm changes target and notice of a branch, and nothing else', async () => {
  const { studio, write } = createRecordingStudio(own);
  renderInStudio(studio, <TransitionTargetEditForm flow="elevacion" onDone={vi.fn()} />);
  const places = [...screen.getByLabelText<HTMLSelectElement>('Dónde').options].map(({ text }) => text);
  type('Dónde', String(places.indexOf('Confirmá tu videollamada, Reservar videollamada, si falla, rama 1')));
  expect(screen.getByLabelText<HTMLSelectElement>('Lleva a').value).toBe('fecha');
  type('Lleva a', 'datos');
  const notices = [...screen.getByLabelText<HTMLSelectElement>('Aviso que muestra').options];
  expect(notices.map(({ text }) => text)).toContain('El tiempo de inicio de sesión expiró. Comienza de nuevo.');
  expect(
    notices.filter(({ value }) => value === 'serie'),
    'notice in the screen of the target',
  ).toHaveLength(1);
  type('Aviso que muestra', 'serie');
  expect(await applyPreviewed(write)).toEqual({
    'flows/elevacion.json': [
      { pointer: '/states/confirmar/on/book/onError/0/target', value: 'datos' },
      { pointer: '/states/confirmar/on/book/onError/0/notice', value: 'serie' },
    ],
  });
});

test('[EST-15] ButtonEditForm changes a button text in both languages, and the address of a link in its translation too', async () => {
  const { studio, write } = createRecordingStudio(own);
  renderInStudio(studio, <ButtonEditForm screen="contacto" onDone={vi.fn()} />);
  type('Texto en español', 'Enviar');
  type('Texto en portugués', 'Enviar');
  expect(await applyPreviewed(write)).toEqual({
    'schemas/contacto/ui.json': [{ pointer: '/actions/0/text', value: 'Enviar' }],
    'schemas/contacto/ui.pt.json': [{ pointer: '/actions/submit', value: 'Enviar' }],
  });
  cleanup();
  const other = createRecordingStudio(own);
  renderInStudio(other.studio, <ButtonEditForm screen="contacto" onDone={vi.fn()} />);
  const places = [...screen.getByLabelText<HTMLSelectElement>('Qué').options].map(({ text }) => text);
  type('Qué', String(places.findIndex((place) => place.includes('/ayuda'))));
  type('Dirección del enlace', '/feedback');
  expect(await applyPreviewed(other.write)).toEqual({
    'schemas/contacto/ui.json': [{ pointer: '/links/0/to', value: '/feedback' }],
    'schemas/contacto/ui.pt.json': [
      { pointer: '/links/~1ayuda' },
      { pointer: '/links/~1feedback', value: 'Perguntas frequentes' },
    ],
  });
});
