import type { Handler } from '../call.ts';
import type { Parts } from '../parts.ts';

/** A new proof-of-work challenge. */
export function getCaptcha({ captcha }: Parts): Handler<'getCaptcha'> {
  return async () => ({ body: { challenge: { ...(await captcha.challenge()) } } });
}
