// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { Component, type ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { lazyComponent } from '../../src/engine/react/lazy-component.tsx';

afterEach(cleanup);

const Hello = ({ name }: { name: string }) => <p>Hello {name}</p>;
const Meanwhile = ({ name }: { name: string }) => <p>Wait, {name}</p>;

test('lazyComponent draws a fallback, and its component as soon as it has loaded', async () => {
  const Late = lazyComponent(() => Promise.resolve(Hello), Meanwhile);
  vi.useFakeTimers();
  render(<Late name="Ana" />);
  screen.getByText('Wait, Ana');
  await act(() => Promise.resolve()); // settles promises without advancing the fake timers
  screen.getByText('Hello Ana');
  vi.useRealTimers();
});

test('lazyComponent draws a preloaded component at once and loads it once', async () => {
  const load = vi.fn(() => Promise.resolve(Hello));
  const Late = lazyComponent(load, Meanwhile);
  await Promise.all([Late.load(), Late.load()]);
  render(<Late name="Ana" />);
  screen.getByText('Hello Ana');
  expect(load).toHaveBeenCalledOnce();
});

test('lazyComponent passes a load error to its boundary and loads again at the next render', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined); // React logs errors that boundaries catch
  const load = vi.fn(() => Promise.resolve(Hello)).mockRejectedValueOnce(new Error('lost'));
  const Late = lazyComponent(load);
  const draw = (key: string) => (
    <Boundary key={key}>
      <Late name="Ana" />
    </Boundary>
  );
  const { rerender } = render(draw('first'));
  await screen.findByText('lost');
  rerender(draw('second'));
  await screen.findByText('Hello Ana');
});

class Boundary extends Component<{ children: ReactNode }, { error: string | null }> {
  override state = { error: null };
  static getDerivedStateFromError({ message }: Error) {
    return { error: message };
  }
  override render() {
    return this.state.error ?? this.props.children;
  }
}
