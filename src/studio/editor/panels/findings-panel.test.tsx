// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { StudioFinding } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import { StudioContext, type StudioContextValue } from '../use-studio.ts';
import { FindingsPanel } from './findings-panel.tsx';

afterEach(cleanup);

const finding = (file: string, message: string): StudioFinding => ({
  file,
  message,
  line: 1,
  column: 1,
  pointer: '',
  hint: '',
});

test('[EST-13] Findings requests the findings again after each change, shows the latest ones by file and announces them', async () => {
  const answers: ((found: readonly StudioFinding[]) => void)[] = [];
  const read = vi.fn(() => new Promise((resolve) => answers.push(resolve)));
  const at = (revision: number) => (
    <StudioContext
      value={
        {
          set: { files: {} },
          revision,
          read,
          busy: false,
        } as unknown as StudioContextValue /* a partial fake of `StudioContextValue` */
      }
    >
      <FindingsPanel />
    </StudioContext>
  );
  const { rerender } = render(at(1));
  expect(read, 'nothing changed').not.toHaveBeenCalled();
  rerender(at(2));
  rerender(at(3));
  expect(screen.getByRole('status').textContent).toBe(t('walking'));
  await act(async () =>
    answers[1]?.([finding('flows/a.json', 'Uno.'), finding('b.json', 'Dos.'), finding('flows/a.json', 'Tres.')]),
  );
  await act(async () => answers[0]?.([finding('flows/a.json', 'Viejo.')]));
  expect(screen.getByRole('status').textContent).toBe(t('walked', { count: 3 }));
  const files = () => screen.getAllByRole('row').map((row) => row.querySelector('code')?.textContent);
  const [a, b] = ['flows/a.json:1:1', 'b.json:1:1'];
  expect(files()).toEqual([undefined, b, a, a]);
  fireEvent.click(screen.getByRole('button', { name: t('file') }));
  expect(files()).toEqual([undefined, a, a, b]);
  expect(screen.queryByText(/Viejo/)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: t('walk') }));
  expect(read).toHaveBeenCalledTimes(3);
});

test('[EST-06] Findings removes an unused notice with the button of its finding, in the translation too', async () => {
  const file = (name: string, notice: object) => ({
    file: name,
    version: '1',
    text: JSON.stringify({ notices: { nadie: notice } }),
  });
  const files = Object.fromEntries(
    [
      file('schemas/login/ui.json', { intent: 'info', text: 'Nadie lo dice.' }),
      file('schemas/login/ui.pt.json', { text: 'Ninguém diz isso.' }),
    ].map((one) => [one.file, one]),
  );
  const fix = [{ file: 'schemas/login/ui.json', pointer: '/notices/nadie' }];
  const found = [{ ...finding('schemas/login/ui.json', 'Sobra.'), fix }];
  const write = vi.fn();
  render(
    <StudioContext
      value={
        {
          set: { files },
          revision: 1,
          read: () => Promise.resolve(found),
          busy: false,
          write,
        } as unknown as StudioContextValue /* a partial fake of `StudioContextValue` */
      }
    >
      <FindingsPanel />
    </StudioContext>,
  );
  await act(async () => fireEvent.click(screen.getByRole('button', { name: t('walk') })));
  fireEvent.click(
    screen.getByRole('button', { name: t('mend', { files: 'schemas/login/ui.json, schemas/login/ui.pt.json' }) }),
  );
  const removal = { edits: [{ pointer: '/notices/nadie' }], base: '1' };
  expect(write).toHaveBeenCalledWith([
    { file: 'schemas/login/ui.json', ...removal },
    { file: 'schemas/login/ui.pt.json', ...removal },
  ]);
});
