// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { FileChange } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { JsonPanel } from './json-panel.tsx';
import type { Studio } from '../use-studio.ts';

afterEach(cleanup);

const [ui, pt] = ['schemas/hola/ui.json', 'schemas/hola/ui.pt.json'] as const;
const write = vi.fn<(changes: readonly FileChange[]) => Promise<boolean>>(() => Promise.resolve(false));

function Panel() {
  const [drafts, setDrafts] = useState<Studio['drafts']>({});
  const files = { [ui]: { file: ui, version: '1', text: '{}' }, [pt]: { file: pt, version: '2', text: '{}' } };
  const draft: Studio['draft'] = (file, own) => own && setDrafts((before) => ({ ...before, [file]: own }));
  const studio = { set: { files }, drafts, busy: false, write, draft } as unknown as Studio; // what the panel uses of it
  return <JsonPanel studio={studio} files={[ui, pt]} />;
}

test('[EST-09] the files of a screen are written together, once each of them is JSON, with the mark that some editors begin with', () => {
  render(<Panel />);
  const type = (file: string, text: string): void => {
    fireEvent.change(screen.getByLabelText(t('file')), { target: { value: file } });
    fireEvent.change(screen.getByLabelText(t('content')), { target: { value: text } });
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
