// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { DrawnWidget } from '../../tests/plugins/drawn-widget.tsx';
import { fakeForm, fakeParts } from '../../tests/plugins/fake-form.ts';
import RecoveryCodes from './widget.tsx';

afterEach(cleanup);

const codes = ['AAAAA11111', 'BBBBB22222'];
const grouped = ['AAAAA 11111', 'BBBBB 22222'];
const draw = (options: object) => {
  const { form, field } = fakeForm({ respaldo: undefined });
  const given = { options: { product: 'Portal', codes, ...options } };
  render(<DrawnWidget widget={RecoveryCodes} {...fakeParts({ form, field }, 'respaldo', given)} />);
};

test('[MFA-06] codes are shown, and downloaded with the name of the product', () => {
  draw({});
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(grouped);
  expect(screen.getAllByRole('heading')).toHaveLength(1);
  const link = screen.getByRole('link', { name: 'download' });
  expect(link.getAttribute('download')).toBe('file');
  expect(decodeURIComponent(link.getAttribute('href') ?? '')).toMatch(/Portal\n.*\n\nAAAAA 11111\nBBBBB 22222\n$/);
});

test.each([
  ['copied', () => Promise.resolve()],
  ['notCopied', () => Promise.reject(new Error('no permission'))],
])('[MFA-06] a press copies them, and what became of it is said: %s', async (said, writeText) => {
  const clipboard = { writeText: vi.fn(writeText) };
  vi.stubGlobal('navigator', { clipboard });
  draw({});
  fireEvent.click(screen.getByRole('button', { name: 'copy' }));
  expect(clipboard.writeText).toHaveBeenCalledWith(grouped.join('\n'));
  expect(await screen.findByText(said)).toBeTruthy();
});

test('[MFA-06] under a heading of their own they have none', () => {
  draw({ titled: false });
  expect(screen.queryByRole('heading')).toBeNull();
});

test.each([null, [], 'x', [1]])('of %j nothing is drawn', (none) => {
  draw({ codes: none });
  expect(screen.queryByRole('listitem')).toBeNull();
});
