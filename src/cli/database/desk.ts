import { userInfo } from 'node:os';
import { writeCsv } from '../../contract/written/csv.ts';
import { beginEmailChange } from '../../server/features/desk/accounts.ts';
import { byCommand } from '../../server/features/desk/agent.ts';
import { readFigures } from '../../server/features/desk/figures.ts';
import { dropKeptDate, saveDate, saveWeek, readHours } from '../../server/features/desk/hours.ts';
import { mailAnswer, listContactMessages } from '../../server/features/desk/messages.ts';
import { callMails } from '../../server/features/video-calls/call-mails.ts';
import { systemClock } from '../../server/platform/base/clock.ts';
import { typedDocument } from '../../server/platform/base/document.ts';
import { OperationError } from '../../server/platform/base/errors.ts';
import { texts } from '../../server/app/topics.ts';
import { action, CommandError, UsageError, type Action, type Command, type Invocation } from '../command.ts';
import { printable } from './audit-report.ts';
import { isAddress, withCommands, type WithCommands } from './with-store.ts';

const options = {
  move: { type: 'boolean' },
  note: { type: 'string' },
  reason: { type: 'string' },
  seen: { type: 'boolean' },
  text: { type: 'string' },
} as const;

export const command: Command = {
  hours: opened(hours),
  week: opened(async (session) => {
    const week = { ...agenda(session), horario: session.rest.join('\n') };
    report(session, await saveWeek(session.dependencies, week, session.by));
  }),
  date: opened(async (session) => {
    const [fecha = '', ...hours] = session.rest;
    const date = { ...agenda(session), fecha, horario: hours.join('\n'), nota: session.options.note ?? '' };
    report(session, await saveDate(session.dependencies, date, session.by));
  }),
  drop: opened(async (session) => {
    const [fecha = ''] = session.rest;
    report(session, await dropKeptDate(session.dependencies, { ...agenda(session), fecha }, session.by));
  }),
  messages: opened(messages),
  answer: opened(answer),
  email: opened(email),
  figures: opened(figures),
};

type Session = ReturnType<typeof createSession>;

function createSession(
  { words: [subject = '', ...rest], options: given, terminal }: Invocation<typeof options>,
  { commands, config, store }: WithCommands,
) {
  return {
    dependencies: { commands, config, store, clock: systemClock, callMails: callMails(config) },
    by: byCommand(userInfo().username),
    ...{ subject, rest, options: given },
    print: (line: string): void => terminal.out(`${printable(line)}\n`),
    write: terminal.out,
  };
}

/** Opens the database for a verb. Reports refusals of the desk as a CommandError, with the desk's message. */
function opened(run: (session: Session) => Promise<void>): Action {
  return action(options, (given) =>
    withCommands(given.terminal, (parts) =>
      run(createSession(given, parts)).catch((error: unknown) => {
        if (!(error instanceof OperationError)) throw error;
        throw new CommandError(texts(error.code, 'es', { ...error.values }), { cause: error });
      }),
    ),
  );
}

function agenda({ subject, options: { move = false } }: Session) {
  return { agenda: subject, mover: move };
}

async function hours({ dependencies, subject, print }: Session): Promise<void> {
  const { horario, minutos, fechas } = await readHours(dependencies, subject);
  print(`${horario}\n${minutos} min`);
  for (const { fecha, horario: own, nota } of fechas)
    print(`${fecha}  ${own.replaceAll('\n', ', ') || 'closed'}  ${nota}`);
}

function report({ print }: Session, { guardado, lista }: Awaited<ReturnType<typeof saveWeek>>): void {
  if (!guardado)
    throw new CommandError(`Nothing was set. These bookings would have no place: ${lista}. --move moves them.`);
  print(lista === '' ? 'Done.' : `Done. Moved: ${lista}.`);
}

async function messages({ dependencies, by, print }: Session): Promise<void> {
  const { mensajes, esperan } = await listContactMessages(dependencies);
  const waiting = mensajes.filter(({ respuesta }) => respuesta === null);
  await recordLook(dependencies, by, 'messages-shown');
  for (const { id, momento, plazo, atrasado, nombre, correo, asunto, mensaje } of waiting)
    print(
      `${id}  ${momento}  due ${plazo}${atrasado ? ' (late)' : ''}  ${asunto}  ${nombre} <${correo}>\n    ${mensaje.replaceAll('\n', '\n    ')}`,
    );
  print(`Waiting: ${esperan}`);
}

async function answer({ dependencies, by, subject, options, print }: Session): Promise<void> {
  const text = options.text?.trim() ?? '';
  if (text === '') throw new UsageError('What is the answer? Give --text.');
  await mailAnswer(dependencies, { id: subject, answer: text }, by);
  print('Done: the answer is mailed.');
}

async function email({ dependencies, by, subject, rest: [address = ''], options, print }: Session): Promise<void> {
  const reason = options.reason?.trim() ?? '';
  if (options.seen !== true) throw new UsageError('Only for who was seen in person with the document at hand: --seen.');
  if (reason === '') throw new UsageError('Why? Give --reason.');
  if (!isAddress(address)) throw new UsageError('Which address?');
  const { espera } = await beginEmailChange(
    dependencies,
    { document: typedDocument(subject), email: address.toLowerCase(), reason },
    by,
  );
  print(espera ? 'Noted: another agent must do the same within seven days.' : 'Done: the link is mailed.');
}

async function figures({ dependencies, by, write }: Session): Promise<void> {
  const weeks = await readFigures(dependencies);
  await recordLook(dependencies, by, 'figures-shown');
  const rows = weeks.map(({ semana, llamadas, ausentes, espera, estados }) => [
    semana,
    String(llamadas),
    String(ausentes),
    espera === null ? '' : String(espera),
    estados.map(({ estado, cantidad }) => `${estado}: ${cantidad}`).join('; '),
  ]);
  write(writeCsv([['week', 'calls', 'missed', 'wait_min', 'states'], ...rows]));
}

async function recordLook({ commands }: Session['dependencies'], { origin, by }: Session['by'], name: string) {
  await commands.run(origin, async ({ tx, audit }) => audit(name, null, { agent: (await by(tx)).signature }));
}
