// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { Component, type ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { lazyComponent } from '../../src/engine/react/lazy-component.tsx';

afterEach(cleanup);

const Hello = ({ name }: { name: string }) => <p>Hello {name}</p>;
const Meanwhile = ({ name }: { name: string }) => <p>Wait, {name}</p>;

test('what is loaded when it is drawn comes as soon as it is there: nothing waits 300 ms', async () => {
  const Late = lazyComponent(() => Promise.resolve(Hello), Meanwhile);
  vi.useFakeTimers();
  render(<Late name="Ana" />);
  screen.getByText('Wait, Ana');
  await act(() => Promise.resolve()); // settles promises without advancing the fake timers
  screen.getByText('Hello Ana');
  vi.useRealTimers();
});

test('what was loaded ahead is drawn at once, and loaded once', async () => {
  const load = vi.fn(() => Promise.resolve(Hello));
  const Late = lazyComponent(load, Meanwhile);
  await Promise.all([Late.load(), Late.load()]);
  render(<Late name="Ana" />);
  screen.getByText('Hello Ana');
  expect(load).toHaveBeenCalledOnce();
});

test('what cannot be loaded reaches the boundary around it, and is tried again when it is next drawn', async () => {
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
