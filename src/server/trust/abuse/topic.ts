import type { Captcha } from './captcha.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import { getCaptcha } from './get-captcha.ts';
import texts from './texts.json' with { type: 'json' };
import { tables } from './tables.ts';

export const topic = {
  handlers: (parts: { captcha: Captcha }) => ({ getCaptcha: getCaptcha(parts) }),
  texts,
  tables,
} as const satisfies Topic;
