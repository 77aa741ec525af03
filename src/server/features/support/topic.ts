import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { tables } from './tables.ts';
import { mails } from './mails/mails.ts';
import type { Captcha } from '../../trust/abuse/captcha.ts';
import type { Handlers } from '../../platform/base/operation-request.ts';
import type { ValidateForm } from '../../platform/base/validate-form.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { getContactSubjects } from './get-contact-subjects.ts';
import { sendContactMessage } from './send-contact-message.ts';
import { sendFeedback } from './send-feedback.ts';
import { dayS, hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

export const limits = limitsOf({
  contact: {
    address: { free: 20, windowS: hourS },
    document: { free: 5, windowS: hourS },
    email: { free: 3, windowS: dayS },
  },
  feedback: { address: { free: 60, windowS: hourS } },
});

export const topic = { handlers: supportHandlers, texts, limits, tables, mails } as const satisfies Topic;

interface Needs {
  readonly commands: Commands;
  readonly store: Store;
  readonly config: Config;
  readonly captcha: Captcha;
  readonly validateForm: ValidateForm;
}

function supportHandlers(needs: Needs) {
  return {
    getContactSubjects: getContactSubjects(),
    sendContactMessage: sendContactMessage(needs),
    sendFeedback: sendFeedback(needs),
  } satisfies Partial<Handlers>;
}
