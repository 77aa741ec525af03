// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useRowNavigationKeys } from '../../src/desk/row-navigation-keys.tsx';

afterEach(cleanup);

function List() {
  const { list, toggle } = useRowNavigationKeys<HTMLUListElement>();
  return (
    <>
      {toggle}
      <input aria-label="search" />
      <ul ref={list}>
        {['one', 'two', 'three'].map((name) => (
          <li key={name}>
            <a data-row href={`#${name}`}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

const press = (key: string, more: object = {}) => {
  fireEvent.keyDown(document.activeElement ?? document.body, { key, bubbles: true, ...more });
  return document.activeElement?.textContent;
};

test('[DESK-02] J and K move the focus between the rows, and stop at both ends', () => {
  render(<List />);
  expect(['j', 'j', 'j', 'j', 'K'].map((key) => press(key))).toEqual(['one', 'two', 'three', 'three', 'two']);
  expect(press('j', { ctrlKey: true }), 'shortcuts of the browser still work').toBe('two');
});

test('[DESK-02] J and K do nothing in an input or after they were turned off', () => {
  render(<List />);
  screen.getByLabelText('search').focus();
  press('j');
  expect(document.activeElement).toBe(screen.getByLabelText('search'));
  fireEvent.click(screen.getByRole('checkbox'));
  screen.getByText('two').focus();
  expect(press('j')).toBe('two');
});
