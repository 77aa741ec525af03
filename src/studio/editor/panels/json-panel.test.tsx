// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { EditorView } from '@codemirror/view';
import { afterEach, expect, test, vi } from 'vitest';
import type { StudioReferenceData } from '../../dev-page-data.ts';
import type { FileChange } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import { JsonPanel } from './json-panel.tsx';
import { StudioContext, type StudioContextValue } from '../use-studio.ts';

afterEach(cleanup);

const [ui, pt] = ['schemas/hola/ui.json', 'schemas/hola/ui.pt.json'] as const;
const referenceData = { formats: { flow: {}, ui: {}, translation: {}, schema: {} } } as unknown as StudioReferenceData; // a partial fake: the panel reads only these properties
const write = vi.fn<(changes: readonly FileChange[]) => Promise<boolean>>(() => Promise.resolve(false));

function Panel() {
  const [drafts, setDrafts] = useState<StudioContextValue['drafts']>({});
  const files = { [ui]: { file: ui, version: '1', text: '{}' }, [pt]: { file: pt, version: '2', text: '{}' } };
  const draft: StudioContextValue['draft'] = (file, own) => own && setDrafts((before) => ({ ...before, [file]: own }));
  const studio = {
    referenceData,
    set: { files, problems: [] },
    drafts,
    busy: false,
    write,
    draft,
  } as unknown as StudioContextValue; // a partial fake: the panel reads only these properties
  return (
    <StudioContext value={studio}>
      <JsonPanel files={[ui, pt]} />
    </StudioContext>
  );
}

test('[EST-09] JSON panel writes the files of a screen together once each is valid JSON, also with a byte order mark', () => {
  render(<Panel />);
  const type = (file: string, text: string): void => {
    fireEvent.change(screen.getByLabelText(t('file')), { target: { value: file } });
    const view = EditorView.findFromDOM(screen.getByLabelText(t('content')));
    act(() => view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }));
  };
  const save = screen.getByRole<HTMLButtonElement>('button', { name: t('apply_') });
  type(ui, '\uFEFF{ "title": "Hola" }');
  type(pt, '{');
  expect([save.disabled, screen.getByRole('alert').textContent]).toEqual([true, expect.stringContaining(pt)]);
  type(pt, '{ "title": "Olá" }');
  fireEvent.click(save);
  expect(write).toHaveBeenCalledWith([
    expect.objectContaining({ file: ui, base: '1', text: '\uFEFF{ "title": "Hola" }' }),
    expect.objectContaining({ file: pt, base: '2', text: '{ "title": "Olá" }' }),
  ]);
});
