// @vitest-environment happy-dom
import { cleanup } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { drawWidget } from '../../tests/plugins/drawn-widget.tsx';
import { decodeBase64Email } from './widget.tsx';
import EncodedEmail from './widget.tsx';

const encode = (text: string) => Buffer.from(text).toString('base64url');

const renderValue = (value: unknown) =>
  drawWidget(EncodedEmail, 'email', { email: value }, { label: 'Correo' }).container.textContent;

afterEach(cleanup);

describe('[CORREO-03] encoded-email widget', () => {
  test.each([
    [encode('ana.nueva+1@correo.uy'), 'ana.nueva+1@correo.uy', 'base64url'],
    [Buffer.from('ana>@correo.uy'.replace('>', '_')).toString('base64'), 'ana_@correo.uy', 'base64'],
    [encode('confirm at evil.example'), null, 'a sentence'],
    [encode('<b>a@b.uy</b>'), null, 'markup'],
    [encode(`${'a'.repeat(250)}@b.uy`), null, 'too long'],
    [encode('ana@correo.uy\nand more'), null, 'two lines'],
    ['ana@correo.uy', null, 'not encoded'],
    ['', null, 'nothing'],
  ])('decodes %s as %s (%s)', (given: string, email: string | null, _note: string) => {
    expect(decodeBase64Email(given)).toBe(email);
  });

  test.each([
    [encode('ana@correo.uy'), 'Correo: ana@correo.uy'],
    [encode('call 555'), ''],
    [undefined, ''],
    [7, ''],
  ])('draws the value %s as "%s"', (value, text) => {
    expect(renderValue(value)).toBe(text);
  });
});
