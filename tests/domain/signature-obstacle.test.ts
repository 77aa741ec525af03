import { describe, expect, test } from 'vitest';
import { findSignatureObstacle } from '../../src/domain/signature-obstacle.ts';
import { detectDeviceType, findDeviceSignatureObstacle } from '../../src/portal/session/device-type.ts';

const ready = { cuenta_activa: true, email_validado: true };
const desktop = {
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36',
  maxTouchPoints: 0,
};

describe('[SEG-09] [SEG+FIRMA] obstacle to a digital signature', () => {
  test.each([
    [ready, 'computer', null],
    [ready, 'mobile', 'mobile'],
    [{ ...ready, cuenta_activa: false }, 'computer', 'inactive'],
    [{ ...ready, email_validado: false }, 'computer', 'email'],
    [{ cuenta_activa: false, email_validado: false }, 'mobile', 'mobile'],
    [{ cuenta_activa: false, email_validado: false }, 'computer', 'inactive'],
  ] as const)('for %j on a %s is %s', (user, device, obstacle) => {
    expect(findSignatureObstacle(user, device)).toBe(obstacle);
  });

  test.each([
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148', 5, 'mobile'],
    ['Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36', 5, 'mobile'],
    ['Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36', 5, 'mobile'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15', 5, 'mobile'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15',
      0,
      'computer',
    ],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36', 10, 'computer'],
    [desktop.userAgent, 0, 'computer'],
  ] as const)('%s with %d touch points is detected as %s', (userAgent, maxTouchPoints, device) => {
    expect(detectDeviceType({ userAgent, maxTouchPoints })).toBe(device);
  });

  test.each([
    [null, null],
    [ready, null],
    [{ ...ready, email_validado: false }, 'email'],
    [{}, 'inactive'],
  ])('for the record %j in a flow is %s', (user, obstacle) => {
    expect(findDeviceSignatureObstacle(user, desktop)).toBe(obstacle);
  });
});
