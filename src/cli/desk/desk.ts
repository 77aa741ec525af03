import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { systemClock } from '../../server/platform/base/clock.ts';
import { writeCsv } from '../../contract/written/csv.ts';
import { typedDocument } from '../../server/platform/base/document.ts';
import { OperationError } from '../../server/platform/base/errors.ts';
import { textOf } from '../../server/platform/base/texts.ts';
import type { Config } from '../../server/platform/config/config.ts';
import type { Store } from '../../server/platform/database/open-store.ts';
import { beginEmailChange } from '../../server/features/desk/accounts.ts';
import { byCommand } from '../../server/features/desk/agent.ts';
import { readFigures } from '../../server/features/desk/figures.ts';
import { dropKeptDate, keepDate, keepWeek, readHours } from '../../server/features/desk/hours.ts';
import { mailAnswer, readMessages } from '../../server/features/desk/messages.ts';
import { loadTemplates } from '../../server/platform/mail/templates.ts';
import { createCommands } from '../../server/trust/notices/commands.ts';
import { callMails } from '../../server/features/video-calls/call-mails.ts';
import { auditWriter, UsageError, withStore } from '../with-store.ts';

const usage = `Usage:
  npm run desk -- hours support|elevation                              when calls are attended
  npm run desk -- week support|elevation HOURS [--move]                HOURS as the desk has them: 'lun-vie 09:00-17:00 x2, dom 09:00-12:00'
  npm run desk -- date support|elevation YYYY-MM-DD [HOURS] [--note TEXT] [--move]    without HOURS it is closed
  npm run desk -- drop support|elevation YYYY-MM-DD [--move]           the date has the hours of its weekday again
  npm run desk -- messages                                             the messages of the contact form that wait for an answer
  npm run desk -- answer ID --text TEXT                                answers one by mail, once
  npm run desk -- email DOCUMENT ADDRESS --seen --reason TEXT          begins a change of address for who was seen in person
  npm run -s desk -- figures > figures.csv                             the calls of the last twelve weeks
Bookings that new hours leave without a place keep them from being set, unless --move gives each another time and tells its person by mail. What a
command changes or shows stands in the audit log under the name of the system's user.
`;

const verbs: Readonly<Record<string, (session: Session) => Promise<void>>> = {
  hours,
  week: async (session) =>
    kept(await keepWeek(session.needs, { ...agenda(session), horario: session.rest.join('\n') }, session.by)),
  date: async ({ rest: [fecha = '', ...hours], ...session }) =>
    kept(
      await keepDate(
        session.needs,
        { ...agenda(session), fecha, horario: hours.join('\n'), nota: session.options.note ?? '' },
        session.by,
      ),
    ),
  drop: async ({ rest: [fecha = ''], ...session }) =>
    kept(
      await dropKeptDate(
        session.needs,
        { agenda: session.subject, fecha, mover: session.options.move === true },
        session.by,
      ),
    ),
  messages,
  answer,
  email,
  figures,
};

await withStore(usage, async (store, config) => {
  const { values: options, positionals } = parse(process.argv.slice(2));
  const [verb, subject = '', ...rest] = positionals;
  const run = Object.hasOwn(verbs, verb ?? '') ? verbs[verb ?? ''] : undefined;
  if (run === undefined)
    throw new UsageError(verb === undefined ? 'What shall be done?' : `There is no command ${verb}.`);
  const commands = createCommands({
    store,
    auditWriter: await auditWriter(config),
    clock: systemClock,
    config,
    templates: await loadTemplates(),
  });
  const needs = { commands, config, store, clock: systemClock, callMails: callMails(config) };
  try {
    await run({ needs, by: byCommand(userInfo().username), subject, rest, options });
  } catch (error) {
    if (error instanceof OperationError)
      throw new UsageError(textOf(error.code, 'es', { ...error.values }), { cause: error });
    throw error;
  }
});

interface Session {
  readonly needs: {
    readonly commands: ReturnType<typeof createCommands>;
    readonly config: Config;
    readonly store: Store;
    readonly clock: typeof systemClock;
    readonly callMails: ReturnType<typeof callMails>;
  };
  readonly by: ReturnType<typeof byCommand>;
  readonly subject: string;
  readonly rest: readonly string[];
  readonly options: ReturnType<typeof parse>['values'];
}

function agenda({ subject, options }: Pick<Session, 'subject' | 'options'>) {
  return { agenda: subject, mover: options.move === true };
}

async function hours({ needs, subject }: Session): Promise<void> {
  const { horario, minutos, fechas } = await readHours(needs, subject);
  print(`${horario}\n${minutos} min`);
  for (const { fecha, horario: own, nota } of fechas)
    print(`${fecha}  ${own.replaceAll('\n', ', ') || 'closed'}  ${nota}`);
}

function kept({ body: { guardado, lista } }: Awaited<ReturnType<typeof keepWeek>>): void {
  if (!guardado)
    throw new UsageError(`Nothing was set. These bookings would have no place: ${lista}. --move moves them.`);
  print(lista === '' ? 'Done.' : `Done. Moved: ${lista}.`);
}

async function messages({ needs, by }: Session): Promise<void> {
  const { mensajes } = await readMessages(needs);
  const waiting = mensajes.filter(({ respuesta }) => respuesta === null);
  await noteLook({ needs, by }, 'messages-shown');
  for (const { id, momento, nombre, correo, asunto, mensaje } of waiting)
    print(`${id}  ${momento}  ${asunto}  ${nombre} <${correo}>\n    ${mensaje.replaceAll('\n', '\n    ')}`);
  print(`Waiting: ${waiting.length}`);
}

async function answer({ needs, by, subject, options }: Session): Promise<void> {
  const text = options.text?.trim() ?? '';
  if (text === '') throw new UsageError('What is the answer? Give --text.');
  await mailAnswer(needs, { id: subject, answer: text }, by);
  print('Done: the answer is mailed.');
}

async function email({ needs, by, subject, rest: [address = ''], options }: Session): Promise<void> {
  const reason = options.reason?.trim() ?? '';
  if (options.seen !== true) throw new UsageError('Only for who was seen in person with the document at hand: --seen.');
  if (reason === '') throw new UsageError('Why? Give --reason.');
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)) throw new UsageError('Which address?');
  const { espera } = await beginEmailChange(
    needs,
    { document: typedDocument(subject), email: address.toLowerCase(), reason },
    by,
  );
  print(espera ? 'Noted: another agent must do the same within seven days.' : 'Done: the link is mailed.');
}

async function figures({ needs, by }: Session): Promise<void> {
  const weeks = await readFigures(needs);
  await noteLook({ needs, by }, 'figures-shown');
  const rows = weeks.map(({ semana, llamadas, ausentes, espera, estados }) => [
    semana,
    String(llamadas),
    String(ausentes),
    espera === null ? '' : String(espera),
    estados.map(({ estado, cantidad }) => `${estado}: ${cantidad}`).join('; '),
  ]);
  process.stdout.write(writeCsv([['week', 'calls', 'missed', 'wait_min', 'states'], ...rows]));
}

async function noteLook({ needs, by: { origin, by } }: Pick<Session, 'needs' | 'by'>, action: string): Promise<void> {
  await needs.commands.run(origin, async ({ tx, audit }) => audit(action, null, { agent: (await by(tx)).signature }));
}

function parse(given: readonly string[]) {
  try {
    return parseArgs({
      args: [...given],
      allowPositionals: true,
      options: {
        move: { type: 'boolean' },
        note: { type: 'string' },
        reason: { type: 'string' },
        seen: { type: 'boolean' },
        text: { type: 'string' },
      },
    });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
