// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { drawWidget, findInput } from '../../tests/plugins/drawn-widget.tsx';
import { formatPhone } from './format-phone.ts';
import { checkWithRule } from '../../tests/plugins/check-with-rule.ts';
import { rules } from './rule.ts';
import Phone from './widget.tsx';

function draw(value?: unknown) {
  const { field } = drawWidget(Phone, 'telefono', { telefono: value });
  return { input: findInput('telefono'), field };
}

const type = (input: HTMLInputElement, value: string) => fireEvent.change(input, { target: { value } });

afterEach(cleanup);

describe('[VAL-07] phone rule', () => {
  test.each<[unknown, object | null, string]>([
    ['+59899123456', null, 'Uruguayan mobile'],
    ['+598 99 123 456', null, 'with blanks'],
    ['+5491123456789', null, 'Argentina'],
    ['+598099123456', { reason: 'leadingZero' }, 'leading 0'],
    ['+598 099 123 456', { reason: 'leadingZero' }, 'leading 0 after a blank'],
    ['099123456', {}, 'no country code'],
    ['+598', {}, 'only the prefix'],
    ['+1234567', {}, '7 digits'],
    ['+12345678', null, '8 digits'],
    ['+123456789012345', null, '15 digits'],
    ['+1234567890123456', {}, '16 digits'],
    ['+598-99-123456', {}, 'hyphens'],
    ['+598  99123456', {}, 'two blanks'],
    ['+59899123456<script>', {}, 'hostile'],
    ['tel:+59899123456', {}, 'something before it'],
    ['+541 +5980123', {}, 'a prefix inside'],
    ['+541 +598 0123', {}, 'a leading 0 that is not at the start'],
    ['+59899123456\n', {}, 'a line break at the end'],
    [59899123456, null, 'not a string: left to the keyword type'],
  ])('checks the number %s and returns %j (%s)', (value, expected) => {
    expect(checkWithRule(rules, { value, parameters: true })).toEqual(expected);
  });
});

describe('[VAL-07] phone widget', () => {
  test('shows the prefix +598 on focus without storing it', () => {
    const { input, field } = draw();
    fireEvent.focus(input);
    expect([input.value, field.value]).toEqual(['+598', undefined]);
    fireEvent.blur(input);
    expect([input.value, field.value]).toEqual(['', undefined]);
    expect(field.blur).toHaveBeenCalledTimes(1);
  });

  test('clears a number as soon as it is deleted down to its prefix', () => {
    const { input, field } = draw('+59899123456');
    fireEvent.focus(input);
    type(input, '+5989');
    expect([input.value, field.value]).toEqual(['+5989', '+5989']);
    type(input, '+598');
    expect([input.value, field.value]).toEqual(['', undefined]);
    type(input, '99123456');
    expect(field.value).toBe('+598 99123456');
  });

  test('stores nothing for the first four characters of another country, and leaves them in the input', () => {
    const { input, field } = draw('+549 11 1234 5678');
    fireEvent.focus(input);
    for (const text of ['+', '+5', '+54', '+549']) {
      fireEvent.input(input, { target: { value: text }, inputType: 'insertText' });
      expect([input.value, field.value]).toEqual([text, undefined]);
    }
    fireEvent.blur(input);
    expect(input.value).toBe('');
  });

  test('stores only the number that is pasted behind the prefix if it has its own prefix', () => {
    const { input, field } = draw();
    fireEvent.focus(input);
    fireEvent.change(input, { target: { value: '+598+59899123456' } });
    expect([input.value, field.value]).toEqual(['+598+59899123456', '+59899123456']);
    fireEvent.blur(input);
    expect(input.value).not.toMatch(/.\+/);
  });

  test.each([
    ['+598099 123 456'],
    ['099 123 456'],
    ['099123456'],
    ['(099) 123-456'],
    ['+598(099) 123-456'],
    ['099/123.456'],
    ['099–123–456'],
    ['０９９ 123 456'],
    ['+598099.123-456'],
    ['598 99 123 456'],
    ['+59800598 99 123 456'],
  ])('stores %s, pasted in a national notation, as a Uruguayan number', (pasted) => {
    const { input, field } = draw();
    fireEvent.focus(input);
    type(input, pasted);
    expect([input.value, field.value], 'the control keeps what was pasted').toEqual([pasted, '+598 99123456']);
    fireEvent.blur(input);
    expect(input.value).toMatch(/^\+598 99 ?123 ?456$/);
    expect(checkWithRule(rules, { value: field.value, parameters: true })).toBeNull();
  });

  test.each(['099123456', '099 123 456', '99123456', '98765432', '2901 2345'])(
    'replaces a formatted number with %s, typed key by key or pasted',
    (wanted) => {
      for (const steps of [[wanted], [...wanted].map((_, at) => wanted.slice(0, at + 1))]) {
        const { input, field } = draw('+598 91 234 567');
        fireEvent.focus(input);
        for (const step of steps) type(input, step);
        expect(checkWithRule(rules, { value: field.value, parameters: true })).toBeNull();
        expect(field.value).toBe(`+598 ${wanted.replaceAll(' ', '').replace(/^0/, '')}`);
        fireEvent.blur(input);
        expect(input.value.replaceAll(' ', '')).toBe(`+598${wanted.replaceAll(' ', '').replace(/^0/, '')}`);
        cleanup();
      }
    },
  );

  test.each(['+598 (99) 123-456', '+598-99-123-456', '+598 (0)99 123 456', '+598.99.123.456'])(
    'stores %s, with its plus sign and separators, as a Uruguayan number at once',
    (typed) => {
      const { input, field } = draw();
      fireEvent.focus(input);
      type(input, typed);
      expect(input.value).toBe(typed);
      expect(field.value).toMatch(/^\+598 99 ?123 ?456$/);
      expect(checkWithRule(rules, { value: field.value, parameters: true })).toBeNull();
    },
  );

  test('replaces a number with one typed key by key in parentheses', () => {
    const { input, field } = draw('+598 91 234 567');
    fireEvent.focus(input);
    for (let at = 1; at <= '(099) 123-456'.length; at += 1) type(input, '(099) 123-456'.slice(0, at));
    expect([input.value, field.value]).toEqual(['(099) 123-456', '+598 99123456']);
  });

  test('reads a pasted number with the international prefix 00', () => {
    const { input, field } = draw();
    fireEvent.focus(input);
    type(input, '0054 11 1234 5678');
    expect(field.value).toBe('+541112345678');
  });

  test('stores a typed leading 0, for the rule to reject', () => {
    const { input, field } = draw();
    fireEvent.focus(input);
    for (const typed of ['+5980', '+59809', '+598099', '+598099123456']) type(input, typed);
    expect(field.value).toBe('+598099123456');
  });

  test('shows a stored number unchanged on focus', () => {
    const { input } = draw('+541112345678');
    fireEvent.focus(input);
    expect(input.value).toBe('+541112345678');
  });

  test('formats a known number on blur, leaves one with an error unchanged, and doubts an unknown one', async () => {
    const { input, field } = draw();
    await vi.waitFor(() => {
      // repeats the focus until the formatter has been loaded
      fireEvent.focus(input);
      type(input, '+59899123456');
      fireEvent.blur(input);
      expect(field.value).toBe('+598 99 123 456');
    });
    expect(screen.getByRole('status').textContent).toBe('');
    fireEvent.focus(input);
    type(input, '+59899123457');
    field.error = 'of the server';
    fireEvent.blur(input);
    expect(field.value, 'what a message is about').toBe('+59899123457');
    field.error = null;
    fireEvent.focus(input);
    type(input, '+59831111111');
    fireEvent.blur(input);
    expect([field.value, screen.getByRole('status').textContent]).toEqual(['+59831111111', 'doubt']);
  });
});

test.each([
  ['+59899123456', '+598 99 123 456'],
  ['+59829012345', '+598 2901 2345'],
  ['+598123', null],
  ['hola', null],
])('formatPhone writes %s as %s', (typed, expected) => {
  expect(formatPhone(typed)).toBe(expected);
});
