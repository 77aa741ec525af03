// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ChoicesLoadFailure } from './choices-load-failure.tsx';
import { EngineProvider, type EngineServices } from './engine-context.ts';
import type { OperationResponseState } from './widget.ts';

const retry = vi.fn();
const services = { t: (key: string) => key, retry } as unknown as EngineServices; // a partial fake: the component reads no other property
afterEach(cleanup);

const failed = { state: 'failed', status: 0 } satisfies OperationResponseState;

/** Renders a control with its status. Returns a function that replaces its option source. */
function draw(): (source: OperationResponseState) => void {
  const of = (source: OperationResponseState) => (
    <EngineProvider value={services}>
      <select id="pais" disabled={source.state !== 'ready'} />
      <ChoicesLoadFailure operation="getCountries" source={source} controlId="pais" />
    </EngineProvider>
  );
  const { rerender } = render(of(failed));
  return (source) => rerender(of(source));
}

test('[INI-08] retry button keeps the focus until the options are loaded, and then moves it to the control', () => {
  const show = draw();
  const button = screen.getByRole('button', { name: 'retry' });
  button.focus();
  fireEvent.click(button);
  show({ state: 'loading' });
  expect(document.activeElement, 'while it loads').toBe(button);
  fireEvent.click(button);
  expect(retry.mock.calls, 'once at a time').toEqual([['getCountries', undefined]]);
  show(failed);
  expect(document.activeElement, 'where it failed again').toBe(button);
  fireEvent.click(button);
  show({ state: 'loading' });
  show({ state: 'ready', data: [] });
  expect(screen.queryByRole('button')).toBeNull();
  expect(document.activeElement?.id).toBe('pais');
});

test('[INI-08] options that load without a retry do not move the focus, and show no alert while they load', () => {
  const show = draw();
  show({ state: 'ready', data: [] });
  expect(document.activeElement).toBe(document.body);
  show({ state: 'loading' });
  expect(screen.queryByRole('alert')).toBeNull();
});
