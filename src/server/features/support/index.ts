import type { Generated } from 'kysely';
import { createPurgeRule } from '../../platform/modules/table-descriptions.ts';
import { defineMailTemplates } from '../../platform/modules/mail-templates.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };
import { getContactSubjects, sendContactMessage } from './send-contact-message.ts';
import {
  defineAttemptLimits,
  allowAttemptsPerHour,
  allowAttemptsPerDay,
} from '../../platform/modules/attempt-limits.ts';
import { parseUrlPath } from '../../../contract/build-href.ts';
import { normalizeEmail } from '../../platform/base/normalize-input.ts';
import { InvalidBodyError } from '../../platform/base/errors.ts';
import type { ResponseBodyHandler } from '../handler-context.ts';

export const serverModule = {
  handlers: () => ({ getContactSubjects, sendContactMessage, sendFeedback }),
  texts,
  limits: defineAttemptLimits({
    contact: { address: allowAttemptsPerHour(20), document: allowAttemptsPerHour(5), email: allowAttemptsPerDay(3) },
    feedback: { address: allowAttemptsPerHour(60) },
  }),
  tables: {
    contact_messages: {
      data: 'Name, document, address, phone and message of a person who contacted the support, and the response',
      why: 'Responding, and showing earlier responses',
      readers: ['citizen', 'agent', 'operator'],
      retention: createPurgeRule('created_at', 'MESSAGES_YEARS', 'anios_mensajes'),
    },
    feedback: {
      data: 'Opinion about a page, and the e-mail address of its sender',
      why: 'Improving the portal',
      readers: ['agent', 'operator'],
      retention: createPurgeRule('created_at', 'MESSAGES_YEARS', 'anios_mensajes'),
    },
  },
  mails: defineMailTemplates(import.meta.url, {
    'contact-message': null,
    'contact-received': 'desk',
    'contact-answer': 'desk',
  }),
} as const satisfies ServerModule;

declare module '../../platform/modules/mail-templates.ts' {
  interface MailPlaceholders {
    'contact-message': MailPlaceholderValues<
      'subject' | 'number' | 'due' | 'when' | 'name' | 'document' | 'email' | 'phone' | 'session' | 'message'
    >;
    'contact-received': MailPlaceholderValues<'subject' | 'number' | 'due' | 'when' | 'support'>;
    'contact-answer': MailPlaceholderValues<'subject' | 'answer' | 'support'>;
  }
}

declare module '../../platform/database/schema.ts' {
  interface Database {
    /** A message to support. Only `citizen_id` is verified. */
    contact_messages: {
      id: Generated<number>;
      /** Account of a signed-in sender. `null` for an anonymous sender. */
      citizen_id: string | null;
      name: string;
      country: string;
      type: string;
      number: string;
      email: string;
      phone: string;
      /** Id of a subject in content/reference/contact-subjects.json. */
      subject: string;
      message: string;
      language: string;
      /** Additional fields of the form: a JSON list of fields with their titles. */
      extra: Generated<string>;
      created_at: Date;
      /** Last date to answer (YYYY-MM-DD, official time). */
      due: string;
      answered_at: Generated<Date | null>;
      /** Name of the agent in the audit log. */
      answered_by: Generated<string>;
      answer: Generated<string>;
    };
    /** A visitor's anonymous opinion of a page. Some visitors add their e-mail address. */
    feedback: {
      id: Generated<number>;
      /** Path of the rated page. */
      page: string | null;
      /** Answer to the question in the footer. */
      useful: 'si' | 'no' | null;
      /** Rating from 1 to 4. */
      usefulness: number | null;
      /** Rating from 1 to 4. */
      clarity: number | null;
      /** Numbers of the ticked boxes, separated by spaces. */
      boxes: string;
      comment: string;
      email: string | null;
      language: string;
      created_at: Date;
      /** Time at which an agent (`read_by`) marked the feedback as read. */
      read_at: Generated<Date | null>;
      read_by: Generated<string>;
    };
  }
}

const checkboxNumbers = [1, 2, 3, 4, 5, 6] as const;

/** Stores anonymous feedback on a page. The error of an empty form has the field `button` (specification, section 8.6). */
const sendFeedback: ResponseBodyHandler<'sendFeedback'> = async ({ commands, captcha, validateForm }, request) => {
  const { body, origin } = request;
  const { util, pagina, pregunta_1, pregunta_2, ...form } = body;
  const typed = { ...form, pregunta_1: parseRating(pregunta_1), pregunta_2: parseRating(pregunta_2) };
  const data = await validateForm('feedback', typed, request).catch(moveFormError);
  await captcha.verify(data.captcha_response ?? '', 'captcha_response'); // checked last, so that an invalid form does not use up the captcha
  await commands.run(origin, async ({ tx, now, audit }) => {
    await tx
      .insertInto('feedback')
      .values({
        page: readPage(pagina),
        useful: util === 'si' || util === 'no' ? util : null,
        usefulness: data.pregunta_1 ?? null,
        clarity: data.pregunta_2 ?? null,
        boxes: checkboxNumbers.filter((box) => data[`pregunta_3_checkbox_${box}`] === true).join(' '),
        comment: (data.pregunta_4 ?? '').trim(),
        email: normalizeEmail(data.email) || null,
        language: origin.language,
        created_at: now,
      })
      .execute();
    await audit('feedback', null);
  });
};

function parseRating(answer: string | number | null | undefined): unknown {
  return typeof answer === 'string' && /^\d$/.test(answer) ? Number(answer) : answer;
}

/** Moves the error of an empty form to the field `button`, as the specification requires, because the screen reports it for the form itself. */
function moveFormError(error: unknown): never {
  if (!(error instanceof InvalidBodyError)) throw error;
  const { '': whole, ...fields } = error.errors;
  throw new InvalidBodyError({ ...(whole !== undefined && { button: whole }), ...fields });
}

/** Returns the path of a page without its query, which may contain a secret. Returns `null` for anything else. */
function readPage(page: string | null | undefined): string | null {
  const path = parseUrlPath((page ?? '').replace(/[?#].*$/s, ''));
  return path !== null && path.length <= 200 && /^\/(?!\/)[\p{L}\p{N}/_.~-]*$/u.test(path) ? path : null;
}
