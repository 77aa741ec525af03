// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { drawWidget } from '../../tests/plugins/drawn-widget.tsx';
import RecoveryCodes from './widget.tsx';

afterEach(cleanup);

const codes = ['AAAA1111CCCC3333', 'BBBB2222DDDD4444'];
const grouped = ['AAAA 1111 CCCC 3333', 'BBBB 2222 DDDD 4444'];
const draw = (options: object) =>
  drawWidget(RecoveryCodes, 'respaldo', {}, { options: { product: 'Portal', codes, ...options } });

test('[MFA-06] recovery-codes widget shows the codes in groups, and offers a download with the name of the product', () => {
  draw({});
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(grouped);
  expect(screen.getAllByRole('heading')).toHaveLength(1);
  const link = screen.getByRole('link', { name: 'download' });
  expect(link.getAttribute('download')).toBe('file');
  expect(decodeURIComponent(link.getAttribute('href') ?? '')).toMatch(
    /Portal\n.*\n\nAAAA 1111 CCCC 3333\nBBBB 2222 DDDD 4444\n$/,
  );
});

test.each([
  ['copied', () => Promise.resolve()],
  ['notCopied', () => Promise.reject(new Error('no permission'))],
])('[MFA-06] recovery-codes widget copies the codes and shows the result: %s', async (said, writeText) => {
  const clipboard = { writeText: vi.fn(writeText) };
  vi.stubGlobal('navigator', { clipboard });
  draw({});
  fireEvent.click(screen.getByRole('button', { name: 'copy' }));
  expect(clipboard.writeText).toHaveBeenCalledWith(grouped.join('\n'));
  expect(await screen.findByText(said)).toBeTruthy();
});

test('[MFA-06] recovery-codes widget draws no heading with `titled: false`', () => {
  draw({ titled: false });
  expect(screen.queryByRole('heading')).toBeNull();
});

test.each([null, [], 'x', [1]])('recovery-codes widget draws no list if its codes are %j', (none) => {
  draw({ codes: none });
  expect(screen.queryByRole('listitem')).toBeNull();
});
