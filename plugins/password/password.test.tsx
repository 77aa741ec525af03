// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { runInAction } from 'mobx';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { drawWidget, findInput } from '../../tests/plugins/drawn-widget.tsx';
import { countMissingCharacters, ratePasswordStrength } from './widget.tsx';
import Password from './widget.tsx';

function draw(options = {}) {
  const control = { autoComplete: 'new-password' };
  const { field } = drawWidget(Password, 'p', {}, { control, options, schema: { minLength: 8 } });
  return { field, input: findInput('p') };
}

beforeEach(() => vi.useFakeTimers());
afterEach(cleanup);

describe('[CLAVE-07] password strength', () => {
  test.each([
    ['', true, 0, 'empty', 'empty, though required'],
    ['abc', true, 10, 'refused', 'too short'],
    ['12345678', true, 10, 'refused', 'refused by another rule'],
    ['xkqjzvbw', false, 40, 'weak', '8 characters'],
    ['xkqjzvbw1', false, 70, 'medium', '9'],
    ['x'.repeat(15), false, 70, 'medium', '15'],
    ['x'.repeat(16), false, 100, 'strong', '16'],
    ['x'.repeat(16), true, 10, 'refused', 'long but refused'],
    ['ñáéíóúü😀', false, 40, 'weak', '8 code points'],
  ])('rates %s (rejected: %s) at %d percent as %s (%s)', (password, refused, percent, band) => {
    expect(ratePasswordStrength(password, refused)).toEqual({ percent, band });
  });

  test.each([
    ['', 8, 0],
    ['a', 8, 7],
    ['abcdefg', 8, 1],
    ['abcdefgh', 8, 0],
    ['😀', 8, 7],
  ])('countMissingCharacters of %s up to %d characters returns %d', (password, min, missing) => {
    expect(countMissingCharacters(password, min)).toBe(missing);
  });
});

describe('password widget', () => {
  test('shows and hides the password with a button whose label follows', () => {
    const { input } = draw();
    const button = screen.getByRole('button', { name: 'show' });
    expect([input.type, button.textContent]).toEqual(['password', 'show.short']);
    fireEvent.click(button);
    expect([input.type, button.getAttribute('aria-label'), button.textContent]).toEqual(['text', 'hide', 'hide.short']);
    fireEvent.click(button);
    expect(input.type).toBe('password');
  });

  test('[CLAVE-07] hides the hint of the meter while the field has an error message', () => {
    const { field, input } = draw({ meter: true });
    fireEvent.change(input, { target: { value: 'abc' } });
    expect(screen.getByText(/^missing/)).toBeDefined();
    act(() => runInAction(() => void (field.error = 'A message')));
    expect(screen.queryByText(/^missing/)).toBeNull();
  });

  test('stores the typed or pasted password in the field', () => {
    const { field, input } = draw();
    fireEvent.change(input, { target: { value: 'lluvia tren azul' } });
    expect(field.value).toBe('lluvia tren azul');
    expect(input.autocomplete).toBe('new-password');
  });

  test('[CLAVE-07] reports a blur 150 ms after the focus left, unless the focus returns to the widget', () => {
    const { field, input } = draw();
    fireEvent.blur(input);
    vi.advanceTimersByTime(149);
    fireEvent.focus(screen.getByRole('button'));
    vi.advanceTimersByTime(1000);
    expect(field.blur).not.toHaveBeenCalled();
    fireEvent.blur(screen.getByRole('button'));
    vi.advanceTimersByTime(150);
    expect(field.blur).toHaveBeenCalledTimes(1);
  });

  test('[CLAVE-07] updates the strength meter and the count of missing characters with the field', () => {
    const { field, input } = draw({ meter: true });
    const meter = screen.getByRole('meter');
    expect(meter.getAttribute('aria-valuenow')).toBe('0');
    act(() => runInAction(() => void (field.invalid = true)));
    fireEvent.change(input, { target: { value: 'abc' } });
    expect(meter.getAttribute('aria-valuenow')).toBe('10');
    expect(screen.getByText('missing {"count":5}')).toBeTruthy();
    act(() => runInAction(() => void (field.invalid = false)));
    fireEvent.change(input, { target: { value: 'lluvia tren azul' } });
    expect(meter.getAttribute('aria-valuenow')).toBe('100');
    expect(meter.getAttribute('aria-valuetext')).toBe('strong');
  });

  test('announces the hint one second after the last keystroke', () => {
    const { input } = draw({ meter: true });
    const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
    const readAnnouncement = () => document.querySelector('[aria-live]')?.textContent;
    fireEvent.change(input, { target: { value: 'abc' } });
    wait(900);
    fireEvent.change(input, { target: { value: 'abcd' } });
    wait(900);
    expect(readAnnouncement()).toBe('');
    wait(100);
    expect(readAnnouncement()).toBe('missing {"count":4}');
  });

  test('[CLAVE-07] announces Caps Lock, describes the input with it, and removes it on release and on blur', () => {
    const { input } = draw();
    const press = (type: 'keydown' | 'keyup', isOn: boolean) => {
      const event = new KeyboardEvent(type, { bubbles: true, key: 'a' });
      Object.assign(event, { getModifierState: (key: string) => key === 'CapsLock' && isOn });
      act(() => void input.dispatchEvent(event));
    };
    const readDescription = () =>
      (input.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join('');
    const live = document.querySelector('[aria-live=polite]');
    press('keydown', false);
    expect([readDescription(), live?.textContent]).toEqual(['', '']);
    press('keydown', true);
    expect([readDescription(), live?.textContent]).toEqual(['capsLock', 'capsLock']);
    expect(screen.getByText('capsLock.short').getAttribute('aria-hidden')).toBe('true');
    press('keyup', false);
    expect(readDescription()).toBe('');
    press('keyup', true);
    fireEvent.blur(input);
    expect([readDescription(), screen.queryByText('capsLock.short')]).toEqual(['', null]);
  });

  test('draws no meter without the option `meter`', () => {
    draw();
    expect(screen.queryByRole('meter')).toBeNull();
  });

  test.each([
    [true, 1],
    [undefined, 1],
    [null, 1],
    [false, 0],
  ])('draws, with the option show=%s, %i show buttons', (show, count) => {
    const { input } = draw({ show });
    expect(screen.queryAllByRole('button')).toHaveLength(count);
    expect(input.type).toBe('password');
  });
});
