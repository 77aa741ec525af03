// @vitest-environment happy-dom
import { cleanup, screen as page } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { draw } from '../definitions/support/draw.tsx';
import { importScreen } from './support/loaded-screens.ts';
import { changeSample, loadProject } from './support/project.ts';

afterEach(cleanup);

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */

test.each([
  ['select', 'combobox'],
  ['radio', 'radio'],
])('[ENG-01] read-only checkbox and %s are disabled, and a read-only text is output', async (widget, role) => {
  const { definitions, problems } = await loadProject(
    changeSample('schemas/form/ui.json', ({ fields }: any) => {
      Object.assign(fields.kind, { 'ui:widget': widget, 'ui:readonly': true });
      fields.terms['ui:readonly'] = true;
      fields.extra['ui:readonly'] = true;
    }),
  );
  if (!definitions) throw new Error(JSON.stringify(problems));
  const screen = await importScreen(definitions, 'form');
  const draft = screen.open({ kind: 'b', extra: 'more', terms: true }, {});
  if (!draft) throw new Error('The form has fields.');
  await draw(screen, draft, {});
  for (const control of page.getAllByRole<HTMLInputElement>(role)) expect(control.disabled).toBe(true);
  expect(page.getByRole<HTMLInputElement>('checkbox').disabled).toBe(true);
  expect(page.getByText('more')).toMatchObject({ tagName: 'OUTPUT', id: 'field-extra' });
  expect(draft.values).toMatchObject({ kind: 'b', terms: true });
});
