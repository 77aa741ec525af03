import { formatDocumentId } from '../../platform/base/identity-document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { parseExtraFields } from '../../platform/base/operation-request.ts';
import { toUruguayIsoDate } from '../../../contract/format/dates.ts';
import { findContactSubjectName } from '../support/send-contact-message.ts';
import { createAgentActor, type DeskActor, createDeskCommandHandler } from './desk-agent.ts';
import type { HandlerContext, ResponseBodyHandler } from '../handler-context.ts';

const maxMessages = 100;

/** Returns the unanswered messages (oldest first) and their number, the latest answered messages, and the newest feedback (unread first). */
export async function listContactMessages({ store: { db }, clock }: Pick<HandlerContext, 'store' | 'clock'>) {
  const messages = db.selectFrom('contact_messages').selectAll().limit(maxMessages);
  const [waiting, answered, { count }] = await Promise.all([
    messages.where('answered_at', 'is', null).orderBy('id', 'asc').execute(),
    messages.where('answered_at', 'is not', null).orderBy('id', 'desc').execute(),
    db
      .selectFrom('contact_messages')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('answered_at', 'is', null)
      .executeTakeFirstOrThrow(),
  ]);
  const today = toUruguayIsoDate(clock.now());
  const feedback = await db
    .selectFrom('feedback')
    .selectAll()
    .orderBy(({ eb }) => eb('read_at', 'is not', null))
    .orderBy('id', 'desc')
    .limit(maxMessages)
    .execute();
  return {
    esperan: Number(count),
    mensajes: [...waiting, ...answered].map((row) => ({
      plazo: row.due,
      atrasado: row.answered_at === null && row.due < today,
      id: String(row.id),
      momento: row.created_at.toISOString(),
      nombre: row.name,
      documento: formatDocumentId(row),
      correo: row.email,
      telefono: row.phone,
      asunto: findContactSubjectName(row.subject, 'es') ?? row.subject,
      mensaje: row.message,
      agregado: parseExtraFields(row.extra),
      respuesta: row.answered_at && {
        momento: row.answered_at.toISOString(),
        agente: row.answered_by,
        texto: row.answer,
      },
    })),
    opiniones: feedback.map((row) => ({
      id: String(row.id),
      momento: row.created_at.toISOString(),
      pagina: row.page,
      util: row.useful,
      comentario: row.comment,
      leida: row.read_at !== null,
    })),
  };
}

/** Sends the answer to a message by mail, in the message's language. If two agents answer at the same time, only one succeeds. */
export const answerContactMessage: ResponseBodyHandler<'answerContactMessage'> = (
  dependencies,
  { params, body, caller, origin },
) => {
  const answered = { id: params['id'] ?? '', answer: (body.respuesta ?? '').trim() };
  return sendContactAnswer(dependencies, answered, createAgentActor(caller, origin));
};

export async function sendContactAnswer(
  { commands, config }: Pick<HandlerContext, 'commands' | 'config'>,
  { id, answer }: { id: string; answer: string },
  { origin, findActor }: DeskActor,
): Promise<void> {
  await commands.run(origin, async ({ tx, now, audit, mail }) => {
    const agent = await findActor(tx);
    const message = await tx
      .selectFrom('contact_messages')
      .selectAll()
      .where('id', '=', parseId(id))
      .executeTakeFirst();
    if (message === undefined) throw new OperationError(404, 'mensaje_desconocido');
    if (message.answered_at !== null)
      throw new OperationError(409, 'mensaje_respondido', { values: { agente: message.answered_by } });
    await tx
      .updateTable('contact_messages')
      .set({ answered_at: now, answered_by: agent.name, answer })
      .where('id', '=', message.id)
      .execute();
    const language = message.language === 'pt' ? 'pt' : 'es';
    const subject = findContactSubjectName(message.subject, language) ?? message.subject;
    await mail(
      { email: message.email, citizenId: message.citizen_id, replyTo: config.supportMailbox, cause: 'trusted' },
      'contact-answer',
      { subject, answer, support: config.supportMailbox },
      { language },
    );
    await audit('message-answered', message.citizen_id, { agent: agent.signature, message: String(message.id) });
  });
}

export const readFeedback = createDeskCommandHandler<'readFeedback'>(async ({ tx, now, audit, agent }, { params }) => {
  const { numUpdatedRows } = await tx
    .updateTable('feedback')
    .set({ read_at: now, read_by: agent.name })
    .where('id', '=', parseId(params['id']))
    .where('read_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await audit('feedback-read', null, { agent: agent.signature, feedback: params['id'] ?? '' });
});

function parseId(text = ''): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}
