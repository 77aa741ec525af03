// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { TextWithTranslations } from '../../studio-api-types.ts';
import { stageEdit, type PendingEdits } from '../pending-edits.ts';
import { StudioContext, type StudioContextValue } from '../use-studio.ts';
import { TextPanel } from './text-panel.tsx';

afterEach(cleanup);

const files = { es: 'schemas/_shared/x.json', pt: 'schemas/_shared/x.pt.json' };
const pairs: Readonly<Record<string, readonly [es: string, pt?: string]>> = {
  done: ['Elegí un día', 'Escolha um dia'],
  same: ['Total', 'Total '],
  missing: ['Falta esto'],
  long: ['Pedí ayuda', 'Peça ajuda a quem atende'],
  short: ['Sí', 'Claro'],
};
const texts: readonly TextWithTranslations[] = Object.entries(pairs).map(([key, [es, pt]]) => ({
  pointer: `/${key}`,
  address: `/${key}`,
  texts: { es, ...(pt !== undefined && { pt }) },
}));

function open(committed: Readonly<Record<string, string>> | null = null) {
  const set = {
    files: Object.fromEntries(Object.values(files).map((file) => [file, { file, version: '1', text: '{}' }])),
  };
  let pending: PendingEdits = {};
  const read = ((address: string) => {
    const file = new URLSearchParams(address.split('?')[1]).get('file') ?? '';
    return Promise.resolve(committed && (committed[file] ?? ''));
  }) as StudioContextValue['read'];
  const panel = () => {
    const studio = {
      set,
      pending,
      revision: 0,
      read,
      stage: (file, edit) => {
        pending = stageEdit(pending, set as StudioContextValue['set'], file, edit);
        rerender(panel());
      },
    } as Pick<StudioContextValue, 'pending' | 'stage' | 'read' | 'revision'> & { set: typeof set };
    return (
      <StudioContext
        value={studio as unknown as StudioContextValue /* a partial fake: the panel reads only these properties */}
      >
        <TextPanel name="x" texts={texts} files={files} />
      </StudioContext>
    );
  };
  const { rerender } = render(panel());
}

const shown = () => screen.queryAllByRole('rowheader').map(({ textContent }) => textContent);
const choose = (kind: string) => fireEvent.change(screen.getByLabelText('Mostrar'), { target: { value: kind } });

test('text panel filters texts that are untranslated, equal in both languages, or much longer in Portuguese', () => {
  open();
  const kinds = screen.getByLabelText<HTMLSelectElement>('Mostrar');
  expect([...kinds.options].map(({ text }) => text)).toEqual([
    'Todos (5)',
    'Sin traducir (1)',
    'Iguales en los dos idiomas (1)',
    'Bastante más largos en portugués (1)',
  ]);
  expect(shown()).toEqual(Object.keys(pairs));
  choose('Missing');
  expect(shown()).toEqual(['missing']);
  choose('Same');
  expect(shown()).toEqual(['same']);
  choose('Long');
  expect(shown()).toEqual(['long']);
});

test('[EST-19] text panel filters texts that changed since the last commit, also unsaved ones, and offers no such filter without a commit', async () => {
  const own = (language: 0 | 1) =>
    JSON.stringify(Object.fromEntries(Object.entries(pairs).map(([key, pair]) => [key, pair[language]])));
  open({ [files.es]: own(0).replace('Pedí', 'Buscá'), [files.pt]: own(1).replace('Claro', 'Sim') });
  await screen.findByText('Cambiados desde el último commit (2)');
  choose('Changed');
  expect(shown()).toEqual(['long', 'short']);
  fireEvent.change(screen.getByLabelText('Español: long'), { target: { value: 'Buscá ayuda' } });
  expect(shown(), 'what is typed back stays in view').toEqual(['long', 'short']);
  choose('All');
  fireEvent.change(screen.getByLabelText('Español: done'), { target: { value: 'Elegí una hora' } });
  choose('Changed');
  expect(shown()).toEqual(['done', 'long', 'short']);
  cleanup();
  open();
  await act(() => Promise.resolve());
  expect(screen.queryByText(/^Cambiados/)).toBeNull();
});

test('text panel shows the length of a text, and keeps a text in the list while it is edited', () => {
  open();
  choose('Missing');
  const cell = screen.getByLabelText<HTMLTextAreaElement>('Portugués: missing');
  expect(cell.closest('td')?.textContent).toContain('0 letras');
  fireEvent.change(cell, { target: { value: 'Não' } });
  expect(shown()).toEqual(['missing']);
  expect(screen.getByLabelText<HTMLTextAreaElement>('Portugués: missing').value).toBe('Não');
  expect(screen.getByLabelText('Portugués: missing').closest('td')?.textContent).toContain('3 letras');
});
