import { describe, expect, test } from 'vitest';
import { contract } from '../../src/contract/contract.ts';
import { groupFields, ungroupFields } from '../../src/contract/field-groups.ts';

const call = contract.bookSupportCall;
const form = { nombre_completo: 'Ana', asunto: 'otro', fecha: '2026-03-02', hora: '09:00:00', captcha_response: 'x' };
const body = {
  informacion_contacto: { nombre_completo: 'Ana', asunto: 'otro' },
  fecha: '2026-03-02',
  hora: '09:00:00',
  captcha_response: 'x',
};

describe('[CFG-03] informacion_contacto of a support call (section 3)', () => {
  test('travels in an object, what the specification does not name beside it', () =>
    expect(groupFields(call, form)).toEqual(body));
  test('is read as the fields of the form', () => expect(ungroupFields(call, body)).toEqual(form));
  test('is read from a page that was opened before a release', () => expect(ungroupFields(call, form)).toEqual(form));
  test('keeps what it may not hold, to be refused', () =>
    expect(ungroupFields(call, { informacion_contacto: { asunto: 'otro', fecha: '1', admin: true } })).toEqual({
      asunto: 'otro',
      informacion_contacto: { fecha: '1', admin: true },
    }));
  test.each([null, undefined, 'x', [1], { informacion_contacto: 'x' }])('leaves %j as it is', (odd) => {
    expect(ungroupFields(call, odd)).toEqual(odd);
    expect(groupFields(call, odd)).toEqual(odd);
  });
});
