// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { portalConstants } from '../../src/contract/constants.ts';
import type { ScreenNotice } from '../../src/engine/core/flow-and-screen-types.ts';
import { PortalProviders } from '../../src/portal/portal-providers.tsx';
import { NoticeBox } from '../../src/engine/react/flow/notice-box.tsx';
import { openPortal, createPage } from '../portal/support/sample-page.ts';

const portal = openPortal(createPage({ id: 'main', initial: 'a', states: { a: { path: '/', block: 'a' } } }));

function draw(intent: ScreenNotice['intent']) {
  const onDismiss = vi.fn();
  render(
    <PortalProviders portal={portal}>
      <NoticeBox notice={{ intent, text: 'x' }} onDismiss={onDismiss}>
        x
      </NoticeBox>
    </PortalProviders>,
  );
  return onDismiss;
}
const wait = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

beforeEach(() => void vi.useFakeTimers());
afterEach(cleanup);

describe('[INI-11] NoticeBox', () => {
  test('dismisses a success after six seconds', async () => {
    const dismissed = draw('success');
    await wait(5_999);
    expect(dismissed).not.toHaveBeenCalled();
    await wait(1);
    expect(dismissed).toHaveBeenCalledTimes(1);
  });

  test.each(['error', 'warning', 'info'] as const)(
    'shows a notice of the intent %s until it is dismissed',
    async (intent) => {
      const dismissed = draw(intent);
      await wait(60_000);
      expect(dismissed).not.toHaveBeenCalled();
      fireEvent.click(screen.getByRole('button'));
      expect(dismissed).toHaveBeenCalledTimes(1);
    },
  );

  test.each(['info', 'success'] as const)(
    'inserts a notice of the intent %s into an existing live region',
    async (intent) => {
      draw(intent);
      expect(screen.getByRole('status').innerHTML).toBe('');
      await wait(150);
      expect(screen.getByRole('status').textContent).toContain('x');
    },
  );

  test.each(['error', 'warning'] as const)('focuses a notice of the intent %s and shows its text at once', (intent) => {
    draw(intent);
    const box = screen.getByRole(intent === 'error' ? 'alert' : 'status');
    expect([box, box.textContent]).toEqual([document.activeElement, 'x×']);
  });

  test.each([
    ['pointed at', fireEvent.pointerEnter, fireEvent.pointerLeave],
    ['focused', fireEvent.focus, fireEvent.blur],
  ] as const)('does not dismiss a success while it is %s', async (_, hold, release) => {
    const dismissed = draw('success');
    hold(screen.getByRole('status'));
    await wait(60_000);
    expect(dismissed).not.toHaveBeenCalled();
    release(screen.getByRole('status'));
    await wait(6_000);
    expect(dismissed).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['the slide', 'src/engine/react/form.css', 'from-right', portalConstants.slideMs],
    ['the slide back', 'src/engine/react/form.css', 'from-left', portalConstants.slideMs],
    ['the flash of a confirmation', 'src/portal/shell/shell.css', 'flash', portalConstants.resendFlashMs],
  ])('uses the duration of the specification in CSS for %s', (_, file, name, ms) => {
    const css = readFileSync(file, 'utf8');
    expect(css).toMatch(new RegExp(`animation: ${name} ${ms}ms`));
  });
});
