import { formatPhone } from '../../../contract/format/phone.ts';
import type { OperationBody } from '../../../contract/contract.ts';
import { type ExtraField, serializeExtraFields } from '../../platform/base/operation-request.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { formatDocumentId, normalizeDocument } from '../../platform/base/identity-document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { secondsPerDay } from '../../platform/base/fixed-periods.ts';
import { createCatalogueLookup } from '../../platform/base/texts.ts';
import type { Config } from '../../platform/config/config.ts';
import { normalizeEmail } from '../../platform/base/normalize-input.ts';
import { buildNormalizedMailboxSql, normalizeMailbox } from '../../trust/abuse/mail-allowance.ts';
import { assertDocumentTypeIssued } from '../../trust/identity/verify-identity.ts';
import { findCitizen, isProvenEmail, type Citizen, formatUidClaim } from '../../trust/identity/citizens.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import own from './texts.json' with { type: 'json' };
import type { ResponseBodyHandler } from '../handler-context.ts';
import { formatDateInWords } from '../../../contract/format/date-in-words.ts';
import { toUruguayIsoDate, addToDate, formatDateTimeInWords } from '../../../contract/format/dates.ts';
import type { Language } from '../../../contract/portal-config.ts';
import subjects from '../content/reference/contact-subjects.json' with { type: 'json' };

const textOf = createCatalogueLookup(own);

/** Maximum number of confirmations to a mailbox within a day. It is low, because the sender has not proven access to the mailbox. */
const maxConfirmations = 3;
const supportLanguage = 'es';

interface StoredMessage extends ReturnType<typeof readMessage> {
  readonly subject: string;
  readonly extra: readonly ExtraField[];
  readonly number: string;
  /** Last date (YYYY-MM-DD) to answer the message. */
  readonly due: string;
}

/** Stores a message to support. Whether the sender is signed in follows from the session, not from the form. */
export const sendContactMessage: ResponseBodyHandler<'sendContactMessage'> = async (
  { commands, store, config },
  { body, extra = [], caller, origin },
) => {
  const subject = subjects.find(({ id, es, pt }) => [id, es, pt].includes(body.asunto ?? ''))?.id;
  if (subject === undefined) throw new OperationError(400, 'asunto_desconocido', { field: 'asunto' });
  const message = { ...readMessage(body), subject, extra };
  await assertDocumentTypeIssued(store, message.document);
  return commands.run(origin, async (command) => {
    const { tx, now, audit } = command;
    const citizen = caller === null ? null : await findCitizen(tx, caller.citizenId);
    const citizenId = citizen?.id ?? null;
    const due = addToDate(toUruguayIsoDate(now), { days: config.contactAnswerDays });
    const { id } = await tx
      .insertInto('contact_messages')
      .values({
        citizen_id: citizenId,
        name: message.name,
        ...message.document,
        email: message.email,
        phone: message.phone,
        subject: message.subject,
        message: message.text,
        extra: serializeExtraFields(extra),
        language: origin.language,
        created_at: now,
        due,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const numbered = { ...message, number: String(id), due };
    await mailConfirmation(command, config, numbered, citizen);
    await mailSupport(command, config, numbered, citizen);
    await audit('contact-message', citizenId, { subject: message.subject });
    return { numero: numbered.number, plazo: due };
  });
};

/** Reads the contact form, whose fields the screen's validator has checked. */
function readMessage(body: OperationBody<'sendContactMessage'>) {
  return {
    name: (body.nombre_completo ?? '').normalize('NFC').trim().replace(/\s+/g, ' '),
    document: normalizeDocument(body.pais_emisor, body.tipo_documento, body.numero_documento),
    email: normalizeEmail(body.email),
    phone: (body.telefono ?? '').trim(),
    text: (body.mensaje ?? '').trim(),
  };
}

async function mailSupport(
  { now, mail }: DatabaseCommand,
  config: Config,
  message: StoredMessage,
  citizen: Citizen | null,
) {
  const { name, document, email, phone, subject } = message;
  const documento = citizen && (citizen.idp === null ? formatDocumentId(citizen) : formatUidClaim(citizen));
  const session =
    documento === null
      ? textOf('contacto_sin_sesion', supportLanguage)
      : textOf('contacto_con_sesion', supportLanguage, { documento });
  await mail(
    { email: config.supportMailbox, citizenId: null, replyTo: email, cause: 'trusted' }, // the recipient is the institution's own mailbox
    'contact-message',
    {
      when: formatDateTimeInWords(now, supportLanguage, now),
      number: message.number,
      due: formatDateInWords(message.due, supportLanguage, toUruguayIsoDate(now)),
      subject: findContactSubjectName(subject, supportLanguage) ?? subject,
      name,
      document: formatDocumentId(document),
      email,
      phone: phone === '' ? textOf('contacto_sin_telefono', supportLanguage) : formatPhone(phone),
      session,
      message: [message.text, ...message.extra.map(({ titulo, valor }) => `${titulo}: ${valor}`)].join('\n\n'),
    },
    { language: supportLanguage },
  );
}

/** Mails the confirmation without any text of the form. Otherwise anybody could mail arbitrary text to any address. */
async function mailConfirmation(
  { tx, now, origin, mail, when }: DatabaseCommand,
  config: Config,
  { email, subject, number, due }: StoredMessage,
  citizen: Citizen | null,
): Promise<void> {
  const { count } = await tx
    .selectFrom('contact_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(buildNormalizedMailboxSql('email'), '=', normalizeMailbox(email))
    .where('created_at', '>', addSeconds(now, -secondsPerDay))
    .executeTakeFirstOrThrow();
  if (count > maxConfirmations) return; // the count includes the current message
  const cause = citizen !== null && isProvenEmail(citizen, email) ? 'trusted' : 'anyone';
  await mail({ email, citizenId: null, cause }, 'contact-received', {
    when: when(now),
    subject: findContactSubjectName(subject, origin.language) ?? subject,
    number,
    due: formatDateInWords(due, origin.language, toUruguayIsoDate(now)),
    support: config.supportMailbox,
  });
}

export const getContactSubjects: ResponseBodyHandler<'getContactSubjects'> = async (_parts, { origin: { language } }) =>
  subjects.map((subject) => ({ id: subject.id, nombre: subject[language] }));

/** Returns the name of a subject. Returns `null` for an unknown id. */
export function findContactSubjectName(id: string, language: Language): string | null {
  return subjects.find((subject) => subject.id === id)?.[language] ?? null;
}
