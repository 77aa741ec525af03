import type { Captcha } from '../../trust/abuse/captcha.ts';
import type { Handlers } from '../../platform/base/operation-request.ts';
import type { ValidateForm } from '../../platform/base/validate-form.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { getContactSubjects } from './get-contact-subjects.ts';
import { sendContactMessage } from './send-contact-message.ts';
import { sendFeedback } from './send-feedback.ts';

interface Needs {
  readonly commands: Commands;
  readonly store: Store;
  readonly config: Config;
  readonly captcha: Captcha;
  readonly validateForm: ValidateForm;
}

export function supportHandlers(needs: Needs) {
  return {
    getContactSubjects: getContactSubjects(),
    sendContactMessage: sendContactMessage(needs),
    sendFeedback: sendFeedback(needs),
  } satisfies Partial<Handlers>;
}
