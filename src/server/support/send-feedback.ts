import { readPath } from '../../contract/href.ts';
import type { Language } from '../../contract/portal-config.ts';
import type { Definitions } from '../../engine/compiler/definitions.ts';
import type { Values } from '../../engine/core/json.ts';
import type { Captcha } from '../abuse/captcha.ts';
import type { Handler } from '../base/call.ts';
import { text } from '../base/read-text.ts';
import { RefusedBody } from '../base/refused-body.ts';
import type { Config } from '../config/config.ts';
import type { Commands } from '../notices/commands.ts';

const screen = 'feedback';
const boxNumbers = [1, 2, 3, 4, 5, 6] as const;
const longestPage = 200;

/** Field names of the newer variant of the form, and the fields that they mean. */
const variant: Readonly<Record<string, string>> = {
  pregunta1: 'pregunta_1',
  pregunta2: 'pregunta_2',
  pregunta4: 'pregunta_4',
  captchaResponse: 'captcha_response',
  ...Object.fromEntries(boxNumbers.map((number) => [`pregunta3Checkbox${number}`, boxName(number)])),
};

interface Needs {
  readonly commands: Commands;
  readonly config: Config;
  readonly definitions: () => Definitions;
  readonly captcha: Captcha;
}

/** Keeps what a visitor thinks of a page, without who it was. An empty form is refused on `button` (section 8.6 of the specification). */
export function sendFeedback({ commands, captcha, ...needs }: Needs): Handler<'sendFeedback'> {
  return async ({ body, origin }) => {
    const { language } = origin;
    const { util, pagina, ...form } = body;
    const data = checkForm(needs, withoutVariant(form), language);
    await captcha.verify(text(data['captcha_response']), 'captcha_response'); // a refused form must not use it up
    await commands.run(origin, async ({ tx, now, audit }) => {
      await tx
        .insertInto('feedback')
        .values({
          page: readPage(pagina),
          useful: util === 'si' || util === 'no' ? util : null,
          usefulness: number(data['pregunta_1']),
          clarity: number(data['pregunta_2']),
          boxes: boxNumbers.filter((box) => data[boxName(box)] === true).join(' '),
          comment: text(data['pregunta_4']).trim(),
          email: text(data['email']).toLowerCase() || null,
          language,
          created_at: now,
        })
        .execute();
      await audit('feedback', null);
    });
    return { body: {} };
  };
}

function withoutVariant(form: Values): Values {
  return Object.fromEntries(Object.entries(form).map(([name, value]) => [variant[name] ?? name, value]));
}

function checkForm(
  { definitions, config }: Pick<Needs, 'definitions' | 'config'>,
  values: Values,
  language: Language,
): Values {
  const {
    data,
    errors: { '': whole, ...errors },
  } = definitions().check(screen, values, { language, context: { flags: config.flags } });
  const refused = { ...(whole !== undefined && { button: whole }), ...errors };
  if (Object.keys(refused).length > 0) throw new RefusedBody(refused);
  return data;
}

/** The path of a page, without its query, which may hold a secret; null for anything else. */
function readPage(page: string | null | undefined): string | null {
  const path = readPath((page ?? '').replace(/[?#].*$/s, ''));
  return path !== null && path.length <= longestPage && /^\/(?!\/)[\p{L}\p{N}/_.~-]*$/u.test(path) ? path : null;
}

function boxName(box: number): string {
  return `pregunta_3_checkbox_${box}`;
}

function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
