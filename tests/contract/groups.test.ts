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

describe('[CFG-03] informacion_contacto of a support call', () => {
  test('contains the contact fields of the form, and the other fields stay beside it', () =>
    expect(groupFields(call, form)).toEqual(body));
  test('is flattened into the fields of the form', () => expect(ungroupFields(call, body)).toEqual(form));
  test('is optional: a body with flat fields, from an older page, stays as it is', () =>
    expect(ungroupFields(call, form)).toEqual(form));
  test('keeps fields that it must not contain, so that validation rejects them', () =>
    expect(ungroupFields(call, { informacion_contacto: { asunto: 'otro', fecha: '1', admin: true } })).toEqual({
      asunto: 'otro',
      informacion_contacto: { fecha: '1', admin: true },
    }));
  test.each([null, undefined, 'x', [1], { informacion_contacto: 'x' }])('is ignored if the body is %j', (odd) => {
    expect(ungroupFields(call, odd)).toEqual(odd);
    expect(groupFields(call, odd)).toEqual(odd);
  });
});
