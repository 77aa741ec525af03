import type { Body } from '../../../contract/contract.ts';
import { readPath } from '../../../contract/href.ts';
import type { Values } from '../../../engine/core/json.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import { readEmail } from '../../platform/base/read-text.ts';
import { RefusedBody } from '../../platform/base/refused-body.ts';
import type { Parts } from '../parts.ts';

const boxNumbers = [1, 2, 3, 4, 5, 6] as const;
const longestPage = 200;

/** Stores anonymous feedback on a page. An empty form is refused on `button` (section 8.6 of the specification). */
export function sendFeedback({ commands, captcha, validateForm }: Parts): Handler<'sendFeedback'> {
  return async (request) => {
    const { body, origin } = request;
    const { language } = origin;
    const { util, pagina, ...form } = body;
    const data = await validateForm('feedback', withNumbers(form), request).catch(onButton);
    await captcha.verify(data.captcha_response ?? '', 'captcha_response'); // checked last, so that a refused form does not use it up
    await commands.run(origin, async ({ tx, now, audit }) => {
      await tx
        .insertInto('feedback')
        .values({
          page: readPage(pagina),
          useful: util === 'si' || util === 'no' ? util : null,
          usefulness: data.pregunta_1 ?? null,
          clarity: data.pregunta_2 ?? null,
          boxes: boxNumbers.filter((box) => data[boxName(box)] === true).join(' '),
          comment: (data.pregunta_4 ?? '').trim(),
          email: readEmail(data.email) || null,
          language,
          created_at: now,
        })
        .execute();
      await audit('feedback', null);
    });
    return { body: {} };
  };
}

function withNumbers({ pregunta_1, pregunta_2, ...form }: Body<'sendFeedback'>): Values {
  return { ...form, pregunta_1: readNumber(pregunta_1), pregunta_2: readNumber(pregunta_2) };
}

function readNumber(answer: string | number | null | undefined): unknown {
  return typeof answer === 'string' && /^\d$/.test(answer) ? Number(answer) : answer;
}

/** Moves the error of an empty form from the whole form, as the screen reports it, to its button, as the API does. */
function onButton(error: unknown): never {
  if (!(error instanceof RefusedBody)) throw error;
  const { '': whole, ...fields } = error.errors;
  throw new RefusedBody({ ...(whole !== undefined && { button: whole }), ...fields });
}

/** Returns the path of a page without its query, which may contain a secret. Returns `null` for anything else. */
function readPage(page: string | null | undefined): string | null {
  const path = readPath((page ?? '').replace(/[?#].*$/s, ''));
  return path !== null && path.length <= longestPage && /^\/(?!\/)[\p{L}\p{N}/_.~-]*$/u.test(path) ? path : null;
}

function boxName(box: (typeof boxNumbers)[number]): `pregunta_3_checkbox_${typeof box}` {
  return `pregunta_3_checkbox_${box}`;
}
