import { expect, test } from 'vitest';
import { findSignatureObstacle } from '../../src/portal/session/signature-obstacle.ts';

const ready = { cuenta_activa: true, email_validado: true };
const desktop = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15';
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';
const phone = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36';
const tablet = 'Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36';

test.each([
  ['a signed-out visitor', null, desktop, 0, null],
  ['a computer', ready, desktop, 0, null],
  ['a computer with a touch screen', ready, windows, 10, null],
  ['a Macintosh', ready, mac, 0, null],
  ['an iPad, which identifies as a Macintosh', ready, mac, 5, 'mobile'],
  ['an iPhone', ready, iphone, 5, 'mobile'],
  ['an Android phone', ready, phone, 5, 'mobile'],
  ['an Android tablet', ready, tablet, 5, 'mobile'],
  ['an inactive account without an e-mail address on a phone', {}, phone, 5, 'mobile'],
  ['an inactive account', { ...ready, cuenta_activa: false }, desktop, 0, 'inactive'],
  ['an inactive account without an e-mail address', {}, desktop, 0, 'inactive'],
  ['an unverified e-mail address', { ...ready, email_validado: false }, desktop, 0, 'email'],
])('[SEG-09] [SEG+FIRMA] obstacle to a digital signature of %s', (_, user, userAgent, maxTouchPoints, obstacle) => {
  expect(findSignatureObstacle(user, { userAgent, maxTouchPoints })).toBe(obstacle);
});
