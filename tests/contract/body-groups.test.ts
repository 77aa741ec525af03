import { describe, expect, test } from 'vitest';
import { apiContract } from '../../src/contract/contract.ts';
import { groupBodyFields, ungroupBodyFields } from '../../src/contract/field-groups.ts';

const call = apiContract.bookSupportCall;
const form = { nombre_completo: 'Ana', asunto: 'otro', fecha: '2026-03-02', hora: '09:00:00', captcha_response: 'x' };
const body = {
  informacion_contacto: { nombre_completo: 'Ana', asunto: 'otro' },
  fecha: '2026-03-02',
  hora: '09:00:00',
  captcha_response: 'x',
};

describe('[CFG-03] informacion_contacto of a support call', () => {
  test('contains the contact fields of the form, and the other fields stay beside it', () =>
    expect(groupBodyFields(call, form)).toEqual(body));
  test('is flattened into the fields of the form', () => expect(ungroupBodyFields(call, body)).toEqual(form));
  test('is optional: a body with flat fields, from an older page, stays as it is', () =>
    expect(ungroupBodyFields(call, form)).toEqual(form));
  test('keeps fields that it must not contain, so that validation rejects them', () =>
    expect(ungroupBodyFields(call, { informacion_contacto: { asunto: 'otro', fecha: '1', admin: true } })).toEqual({
      asunto: 'otro',
      informacion_contacto: { fecha: '1', admin: true },
    }));
  test.each([null, undefined, 'x', [1], { informacion_contacto: 'x' }])('is ignored if the body is %j', (odd) => {
    expect(ungroupBodyFields(call, odd)).toEqual(odd);
    expect(groupBodyFields(call, odd)).toEqual(odd);
  });
});
