// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import person from '../../schemas/_shared/person.json' with { type: 'json' };
import { drawWidget, findInput } from '../../tests/plugins/drawn-widget.tsx';
import { suggestEmailCorrection } from './widget.tsx';
import EmailAddress from './widget.tsx';

const { domains } = person.$defs.email.ui['ui:options'];

describe('[VAL-02] suggestEmailCorrection', () => {
  test.each([
    ['ana@gmial.com', 'ana@gmail.com'],
    ['ana@gmail.con', 'ana@gmail.com'],
    ['ana@gmail.co', 'ana@gmail.com'],
    ['ana@gmail.cm', 'ana@gmail.com'],
    ['ana@gmai.com', 'ana@gmail.com'],
    ['ana@gmaill.com', 'ana@gmail.com'],
    ['ana@gnail.con', 'ana@gmail.com'],
    ['ana@hotmial.com', 'ana@hotmail.com'],
    ['ana@hotmal.con', 'ana@hotmail.com'],
    ['ana@outlok.com', 'ana@outlook.com'],
    ['ana@outlook.comm', 'ana@outlook.com'],
    ['ana@yaho.com', 'ana@yahoo.com'],
    ['ana@adinet.com.yu', 'ana@adinet.com.uy'],
    ['ana+gmial.com@gmial.com', 'ana+gmial.com@gmail.com'],
  ])('suggests for %s the address %s', (typed, meant) => {
    expect(suggestEmailCorrection(typed, domains)).toBe(meant);
  });

  test.each([
    ...domains.map((domain) => `ana@${domain}`),
    'ana@example.com',
    'ana@correo.uy',
    'ana@hotmail.cl',
    'ana@alive.com',
    'ana@correo.gmail.com',
    'gmial.com',
    '@gmial.com',
    'ana@',
    '',
    `ana@${'gmial.com'.repeat(200)}`,
  ])('suggests nothing for %j', (typed) => {
    expect(suggestEmailCorrection(typed, domains)).toBeNull();
  });
});

describe('email-address widget', () => {
  afterEach(cleanup);
  const draw = (control = {}) => {
    const { field } = drawWidget(EmailAddress, 'email', {}, { control, options: { domains } });
    return { input: findInput('email'), field };
  };
  const type = (input: HTMLInputElement, value: string) => fireEvent.change(input, { target: { value } });
  const question = () => screen.queryByRole('button', { name: 'meant {"email":"ana@gmail.com"}' });

  test('suggests a correction in a live region after a blur, and applies it when the button is pressed', () => {
    const { input, field } = draw();
    type(input, 'ana@gmail.co');
    expect(question(), 'on the way to .com').toBeNull();
    fireEvent.blur(input);
    expect(field.blur).toHaveBeenCalledOnce();
    expect(screen.getByRole('status').contains(question())).toBe(true);
    fireEvent.click(question()!);
    expect([field.value, input.value, question()]).toEqual(['ana@gmail.com', 'ana@gmail.com', null]);
    expect(document.activeElement, 'the focus is not lost with the button').toBe(input);
  });

  test('hides the suggestion when the address changes, and shows it again for the same address', () => {
    const { input } = draw();
    type(input, 'ana@gmial.com');
    fireEvent.blur(input);
    type(input, 'ana@gmial.comx');
    expect(question()).toBeNull();
    type(input, 'ana@gmial.com');
    fireEvent.blur(input);
    expect(question()).not.toBeNull();
  });

  test.each([{ readOnly: true }, { disabled: true }])('makes no suggestion for a field with %j', (attributes) => {
    const { input, field } = draw(attributes);
    field.set('ana@gmial.com');
    fireEvent.blur(input);
    expect(question()).toBeNull();
  });
});
