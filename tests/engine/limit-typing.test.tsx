// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createTextWidget } from '../../src/engine/fluent/text-widgets.tsx';
import { DrawnWidget } from '../plugins/drawn-widget.tsx';
import { createFakeForm, createFakeParts } from '../plugins/fake-form.ts';

afterEach(cleanup);

const Text = createTextWidget('text');

/**
 * Types or pastes `added` after `value` into a control of at most ten characters. Returns the text that the listener
 * inserts. Returns `null` if it lets the browser insert the text.
 */
function insert(value: string, added: string, isComposing = false): string | null {
  const { form, field } = createFakeForm({ nombre: value });
  const own = { schema: { maxLength: 10 }, options: { limitTyping: true } };
  render(<DrawnWidget widget={Text} {...createFakeParts({ form, field }, 'nombre', own)} />);
  const input = document.querySelector('input')!;
  input.setSelectionRange(value.length, value.length);
  const insertText = vi.fn();
  Object.assign(document, { execCommand: (_: string, __: boolean, text: string) => insertText(text) });
  const event = new InputEvent('beforeinput', { data: added, bubbles: true, cancelable: true });
  Object.defineProperty(event, 'isComposing', { value: isComposing });
  input.dispatchEvent(event);
  return event.defaultPrevented ? (insertText.mock.calls[0]?.[0] ?? '') : null;
}

test.each([
  ['the tenth emoji fits', '😀'.repeat(9), '😀', null],
  ['an eleventh emoji does not fit', '😀'.repeat(10), '😀', ''],
  ['ten pasted emoji fit', '', '😀'.repeat(10), null],
  ['ten of twelve pasted emoji fit, none cut in half', '', '😀'.repeat(12), '😀'.repeat(10)],
  ['a letter counts like an emoji', 'ñ'.repeat(8), 'a😀b', 'a😀'],
])('[VAL-02] limitTyping counts code points: %s', (_, value, added, inserted) => {
  expect(insert(value, added)).toBe(inserted);
});

test('[VAL-02] limitTyping does not cut text during composition', () => {
  expect(insert('😀'.repeat(10), '日本', true)).toBeNull();
});
