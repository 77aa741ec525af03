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
