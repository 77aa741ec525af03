// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { drawWidget } from '../../tests/plugins/drawn-widget.tsx';
import { groupSecretCharacters, parseTotpSecret } from './widget.tsx';
import TotpSecret from './widget.tsx';

const address = 'otpauth://totp/Usuario%20digital:12345672?secret=JBSWY3DPEHPK3PXP&issuer=Usuario%20digital';

const draw = (value: unknown) => drawWidget(TotpSecret, 's', { s: value });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('[MFA-02] secret of an otpauth URI', () => {
  test.each([
    [address, 'JBSWY3DPEHPK3PXP', 'the key URI format'],
    ['otpauth://totp/x?secret=jbsw====', 'jbsw====', 'lower case, padded'],
    ['otpauth://totp/x', null, 'no secret'],
    ['otpauth://totp/x?secret=18', null, 'no base32'],
    ['JBSWY3DP', null, 'no address'],
    ['', null, 'nothing'],
  ])('parseTotpSecret of %s returns %s (%s)', (given: string, secret: string | null, _note: string) => {
    expect(parseTotpSecret(given)).toBe(secret);
  });

  test.each([
    ['JBSWY3DPEHPK3PXP', 'JBSW Y3DP EHPK 3PXP'],
    ['JBSWY', 'JBSW Y'],
    ['', ''],
  ])('groupSecretCharacters writes %s as %s', (secret, shown) => {
    expect(groupSecretCharacters(secret)).toBe(shown);
  });
});

describe('[MFA-02] totp-secret widget', () => {
  test('draws a QR code of 128 pixels and the grouped secret', () => {
    draw(address);
    expect(screen.getByRole('img').getAttribute('width')).toBe('128');
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').labels).toHaveLength(1);
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('JBSW Y3DP EHPK 3PXP');
  });

  test('links to the otpauth URI, to open it in an authenticator app on the same phone', () => {
    draw(address);
    expect(screen.getByRole('link', { name: 'open' }).getAttribute('href')).toBe(address);
  });

  test.each([true, false])('puts the link to the app before the QR code only on a phone: %s', (isPhone) => {
    vi.stubGlobal('matchMedia', () => ({ matches: isPhone }));
    draw(address);
    const order = screen.getByRole('link').compareDocumentPosition(screen.getByRole('img'));
    expect(order === Node.DOCUMENT_POSITION_FOLLOWING).toBe(isPhone);
  });

  test.each([
    ['copied', () => Promise.resolve()],
    ['notCopied', () => Promise.reject(new Error('denied'))],
  ] as const)('copies the secret and announces the result: %s', async (said, write) => {
    const writeText = vi.fn(write);
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    draw(address);
    fireEvent.click(screen.getByRole('button', { name: 'copy' }));
    await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe(said));
    expect(writeText).toHaveBeenCalledWith('JBSWY3DPEHPK3PXP');
  });

  test('shows an alert if the field has no secret', () => {
    draw(undefined);
    expect(screen.getByRole('alert').textContent).toBe('missing');
  });
});
