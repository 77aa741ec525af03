import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { limits } from './limits.ts';
import type { Handlers } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { ValidateForm } from '../../platform/base/validate-form.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Registry } from '../../trust/identity/registry/registry.ts';
import type { Throttle } from '../../trust/abuse/throttle.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import type { CallMails } from '../video-calls/call-mails.ts';
import { actOnAccount, findAccount, startEmailChange } from './accounts.ts';
import { getDeskDay } from './day.ts';
import { decideDeskCall, keepChecklist } from './decide.ts';
import { actOnForeignRecord } from './foreign-records.ts';
import { getDeskCall } from './get-call.ts';
import { getFigures } from './figures.ts';
import { dropDeskDate, getDeskHours, setDeskDate, setDeskWeek } from './hours.ts';
import { answerMessage, getDeskMessages, readFeedback } from './messages.ts';
import { getDesk } from './get-desk.ts';
import { watchDesk } from './watch-desk.ts';
import { getColleagues, handOverCall, takeCall } from './take-call.ts';

export const topic = { handlers: deskHandlers, texts, limits } as const satisfies Topic;

interface Needs {
  readonly commands: Commands;
  readonly clock: Clock;
  readonly store: Store;
  readonly config: Config;
  readonly registry: Registry;
  readonly callMails: CallMails;
  readonly validateForm: ValidateForm;
  readonly throttle: Throttle;
}

function deskHandlers(needs: Needs) {
  return {
    getDesk: getDesk(needs),
    watchDesk: watchDesk(needs),
    getDeskDay: getDeskDay(needs),
    getDeskCall: getDeskCall(needs),
    takeCall: takeCall(needs),
    handOverCall: handOverCall(needs),
    getColleagues: getColleagues(needs),
    keepChecklist: keepChecklist(needs),
    decideDeskCall: decideDeskCall(needs),
    findAccount: findAccount(needs),
    actOnAccount: actOnAccount(needs),
    actOnForeignRecord: actOnForeignRecord(needs),
    startEmailChange: startEmailChange(needs),
    getDeskHours: getDeskHours(needs),
    setDeskWeek: setDeskWeek(needs),
    setDeskDate: setDeskDate(needs),
    dropDeskDate: dropDeskDate(needs),
    getDeskMessages: getDeskMessages(needs),
    answerMessage: answerMessage(needs),
    readFeedback: readFeedback(needs),
    getFigures: getFigures(needs),
  } satisfies Partial<Handlers>;
}
