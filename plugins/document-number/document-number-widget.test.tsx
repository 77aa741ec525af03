// @vitest-environment happy-dom
import { cleanup, fireEvent } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { drawWidget, findInput } from '../../tests/plugins/drawn-widget.tsx';
import DocumentNumber from './widget.tsx';

function draw(values: Readonly<Record<string, unknown>> = {}, options = {}, control = {}) {
  const all = { country: 'uy', type: 'ci', ...values };
  const { field } = drawWidget(DocumentNumber, 'number', all, { control, options });
  return { input: findInput('number'), field };
}
const type = (input: HTMLInputElement, value: string) => fireEvent.change(input, { target: { value } });

afterEach(cleanup);

describe('[VAL-04] document-number widget', () => {
  test.each([
    '3.871.205-7',
    '3871205-7',
    '3 871 205 7',
    '3.871.205–7',
    '3.871.205−7',
    ' 38712057 ',
    '３８７１２０５－７',
  ])('stores the digits of %s at once, and shows them after a blur', (typed) => {
    const { input, field } = draw();
    type(input, typed);
    expect(input.value).toBe(typed); // the control keeps the typed text
    expect(field.value).toBe('38712057'); // the value is already normalized, so that the form can be submitted
    fireEvent.blur(input);
    expect([field.value, input.value]).toEqual(['38712057', '38712057']);
    expect(field.blur).toHaveBeenCalledOnce();
  });

  test('shows a pasted number unchanged until a blur or Enter, and stores its digits at once', () => {
    const { input, field } = draw();
    fireEvent.input(input, { target: { value: '3.871.205-7' }, inputType: 'insertFromPaste' });
    expect([field.value, input.value]).toEqual(['38712057', '3.871.205-7']);
    type(input, '3.871.205-8');
    expect([field.value, input.value]).toEqual(['38712058', '3.871.205-8']);
    fireEvent.keyDown(input, { key: 'Enter' });
    expect([field.value, input.value]).toEqual(['38712058', '38712058']);
  });

  test('does not change the value of a read-only field', () => {
    const { input, field } = draw({ number: 'AAA-123' }, {}, { readOnly: true });
    fireEvent.keyDown(input, { key: 'Enter' });
    fireEvent.blur(input);
    expect(field.value).toBe('AAA-123');
  });

  test.each([
    ['ci', '3.871.205-7'],
    ['psp', '38712057'],
  ])('shows the number of a Uruguayan %s in a review as %s', (tipo, shown) => {
    const values = { pais: 'uy', tipo };
    const options = { countryField: 'pais', typeField: 'tipo' };
    expect(DocumentNumber.Answer({ value: '38712057', values, options, language: 'es', t: String })).toBe(shown);
  });

  test('stores other characters unchanged, for the rule to reject', () => {
    const { input, field } = draw();
    type(input, '3871205/7');
    fireEvent.blur(input);
    expect(field.value).toBe('3871205/7');
  });

  test.each([
    ['numeric', {}, {}, 'a screen without a country field'],
    ['numeric', {}, { countryField: 'country', typeField: 'type' }, 'a Uruguayan document'],
    ['', { country: 'ar', type: 'psp' }, { countryField: 'country', typeField: 'type' }, 'a foreign one'],
    ['', { country: 'uy', type: 'psp' }, { countryField: 'country', typeField: 'type' }, 'a Uruguayan passport'],
  ])('sets the input mode "%s" for the values %j and the options %j: %s', (mode, values, options, _) => {
    expect(draw(values, options).input.getAttribute('inputmode') ?? '').toBe(mode);
  });
});
