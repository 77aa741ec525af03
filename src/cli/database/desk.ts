import { userInfo } from 'node:os';
import { formatCallFigures } from '../../contract/format/call-figures.ts';
import { formatCsv } from '../../contract/format/csv.ts';
import { startEmailChangeInPerson } from '../../server/features/desk/desk-accounts.ts';
import { createOperatorActor } from '../../server/features/desk/desk-agent.ts';
import { getFigures } from '../../server/features/desk/call-statistics.ts';
import {
  resetDeskDateHours,
  saveDeskDateHours,
  saveDeskWeekHours,
  readDeskHours,
} from '../../server/features/desk/desk-hours.ts';
import { listContactMessages, sendContactAnswer } from '../../server/features/desk/contact-messages.ts';
import { createCallMails } from '../../server/features/video-calls/call-mails.ts';
import { systemClock } from '../../server/platform/base/clock.ts';
import { parseEnteredDocument } from '../../server/platform/base/identity-document.ts';
import { OperationError } from '../../server/platform/base/errors.ts';
import { lookUpText } from '../../server/app/server-modules.ts';
import {
  createCliAction,
  CommandError,
  UsageError,
  type CliAction,
  type CliCommand,
  type CliInvocation,
} from '../command.ts';
import { replaceControlCharacters } from './terminal-text.ts';
import { isEmailAddress, withStoreAndCommands, type CliStoreCommandsContext } from './with-store.ts';

const options = {
  move: { type: 'boolean' },
  note: { type: 'string' },
  reason: { type: 'string' },
  seen: { type: 'boolean' },
  text: { type: 'string' },
} as const;

export const command: CliCommand = {
  hours: createDeskAction(printHours),
  week: createDeskAction(async (session) => {
    const week = { ...readAgendaOptions(session), horario: session.rest.join('\n') };
    printSavedHours(session, await saveDeskWeekHours(session.dependencies, week, session.by));
  }),
  date: createDeskAction(async (session) => {
    const [fecha = '', ...hours] = session.rest;
    const date = { ...readAgendaOptions(session), fecha, horario: hours.join('\n'), nota: session.options.note ?? '' };
    printSavedHours(session, await saveDeskDateHours(session.dependencies, date, session.by));
  }),
  drop: createDeskAction(async (session) => {
    const [fecha = ''] = session.rest;
    printSavedHours(
      session,
      await resetDeskDateHours(session.dependencies, { ...readAgendaOptions(session), fecha }, session.by),
    );
  }),
  messages: createDeskAction(printMessages),
  answer: createDeskAction(answerContactMessage),
  email: createDeskAction(changeEmail),
  figures: createDeskAction(printStatistics),
};

type DeskSession = ReturnType<typeof createDeskSession>;

function createDeskSession(
  { positionals: [subject = '', ...rest], options: given, terminal }: CliInvocation<typeof options>,
  { commands, config, store }: CliStoreCommandsContext,
) {
  return {
    dependencies: { commands, config, store, clock: systemClock, callMails: createCallMails(config) },
    by: createOperatorActor(userInfo().username),
    ...{ subject, rest, options: given },
    print: (line: string): void => terminal.out(`${replaceControlCharacters(line)}\n`),
    write: terminal.out,
  };
}

/** Creates a command that calls `run` in a session of the desk. Converts errors of desk operations to CommandErrors. */
function createDeskAction(run: (session: DeskSession) => Promise<void>): CliAction {
  return createCliAction(options, (given) =>
    withStoreAndCommands(given.terminal, (parts) =>
      run(createDeskSession(given, parts)).catch((error: unknown) => {
        if (!(error instanceof OperationError)) throw error;
        throw new CommandError(lookUpText(error.code, 'es', { ...error.values }), { cause: error });
      }),
    ),
  );
}

function readAgendaOptions({ subject, options: { move = false } }: DeskSession) {
  return { agenda: subject, mover: move };
}

async function printHours({ dependencies, subject, print }: DeskSession): Promise<void> {
  const { horario, minutos, fechas } = await readDeskHours(dependencies, subject);
  print(`${horario}\n${minutos} min`);
  for (const { fecha, horario: own, nota } of fechas)
    print(`${fecha}  ${own.replaceAll('\n', ', ') || 'closed'}  ${nota}`);
}

function printSavedHours(
  { print }: DeskSession,
  { guardado, lista }: Awaited<ReturnType<typeof saveDeskWeekHours>>,
): void {
  if (!guardado)
    throw new CommandError(
      `Nothing was changed. The new hours have no room for these bookings: ${lista}. Move them with --move.`,
    );
  print(lista === '' ? 'Done.' : `Done. Moved: ${lista}.`);
}

async function printMessages({ dependencies, by, print }: DeskSession): Promise<void> {
  const { mensajes, esperan } = await listContactMessages(dependencies);
  const waiting = mensajes.filter(({ respuesta }) => respuesta === null);
  await recordAccess(dependencies, by, 'messages-shown');
  for (const { id, momento, plazo, atrasado, nombre, correo, asunto, mensaje } of waiting)
    print(
      `${id}  ${momento}  due ${plazo}${atrasado ? ' (late)' : ''}  ${asunto}  ${nombre} <${correo}>\n    ${mensaje.replaceAll('\n', '\n    ')}`,
    );
  print(`Waiting: ${esperan}`);
}

async function answerContactMessage({ dependencies, by, subject, options, print }: DeskSession): Promise<void> {
  const text = options.text?.trim() ?? '';
  if (text === '') throw new UsageError('Missing option: --text TEXT.');
  await sendContactAnswer(dependencies, { id: subject, answer: text }, by);
  print('Done: the answer is mailed.');
}

async function changeEmail({ dependencies, by, subject, rest: [address = ''], options, print }: DeskSession) {
  const reason = options.reason?.trim() ?? '';
  if (options.seen !== true)
    throw new UsageError('Missing option: --seen. The citizen must have been seen in person with their document.');
  if (reason === '') throw new UsageError('Missing option: --reason TEXT.');
  if (!isEmailAddress(address)) throw new UsageError('Missing or invalid argument: ADDRESS, an e-mail address.');
  const { espera } = await startEmailChangeInPerson(
    dependencies,
    { document: parseEnteredDocument(subject), email: address.toLowerCase(), reason },
    by,
  );
  print(espera ? 'Noted: another agent must do the same within seven days.' : 'Done: the link is mailed.');
}

async function printStatistics({ dependencies, by, write }: DeskSession): Promise<void> {
  const { semanas: weeks } = await getFigures(dependencies);
  await recordAccess(dependencies, by, 'figures-shown');
  write(formatCsv([['week', 'calls', 'missed', 'wait_min', 'states'], ...weeks.map(formatCallFigures)]));
}

async function recordAccess(
  { commands }: DeskSession['dependencies'],
  { origin, findActor: by }: DeskSession['by'],
  name: string,
) {
  await commands.run(origin, async ({ tx, audit }) => audit(name, null, { agent: (await by(tx)).signature }));
}
