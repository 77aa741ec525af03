import { hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
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

export const limits = limitsOf({
  /** Look-ups per agent. Acts have a separate limit, because they also reveal whether an account exists. */
  lookUp: { document: { free: 60, windowS: hourS } },
  deskAct: { document: { free: 60, windowS: hourS } },
});

export const topic = {
  handlers: {
    getDesk,
    watchDesk,
    getDeskDay,
    getDeskCall,
    takeCall,
    handOverCall,
    getColleagues,
    keepChecklist,
    decideDeskCall,
    findAccount,
    actOnAccount,
    actOnForeignRecord,
    startEmailChange,
    getDeskHours,
    setDeskWeek,
    setDeskDate,
    dropDeskDate,
    getDeskMessages,
    answerMessage,
    readFeedback,
    getFigures,
  },
  texts,
  limits,
} as const satisfies Topic;
