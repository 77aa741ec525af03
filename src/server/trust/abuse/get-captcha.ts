import type { Handler } from '../../platform/base/operation-request.ts';
import type { Captcha } from './captcha.ts';

export function getCaptcha({ captcha }: { captcha: Captcha }): Handler<'getCaptcha'> {
  return async () => ({ body: { challenge: { ...(await captcha.challenge()) } } });
}
