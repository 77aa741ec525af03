import type { Handler } from '../base/call.ts';
import type { Parts } from '../app/parts.ts';

/** A new proof-of-work challenge. */
export function getCaptcha({ captcha }: Parts): Handler<'getCaptcha'> {
  return async () => ({ body: { challenge: { ...(await captcha.challenge()) } } });
}
