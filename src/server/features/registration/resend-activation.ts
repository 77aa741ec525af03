import type { Handler } from '../../platform/base/operation-request.ts';
import { documentId, readDocument, type Document } from '../../platform/base/document.ts';
import type { Origin } from '../../platform/base/origin.ts';
import { findCitizenByDocument } from '../../trust/identity/citizens.ts';
import { registrationEnd, sendActivationMail } from './activation-mail.ts';
import { issueResendRight } from './resend-right.ts';
import type { Parts } from '../parts.ts';

/** Resends the activation mail. The response and its timing are the same with and without a pending account. */
export function resendActivation(needs: Parts): Handler<'resendActivation'> {
  return async ({ body, origin }) => {
    const document = readDocument(body.pais_emisor, body.tipo_doc, body.doc);
    const reenvio = await needs.commands.run(origin, (command) => issueResendRight(command, documentId(document)));
    return { body: { resended: true, reenvio }, after: () => mailIfWaiting(needs, origin, document) };
  };
}

/** Mails the holder of the document if their address still awaits validation. Otherwise it costs the same and stores nothing. */
export async function mailIfWaiting(
  { commands, config }: Pick<Parts, 'commands' | 'config'>,
  origin: Origin,
  document: Document,
): Promise<void> {
  await commands.commitIf(origin, async (command) => {
    const citizen = await findCitizenByDocument(command.tx, document);
    const endsAt = citizen === null || citizen.active_at !== null ? null : registrationEnd(citizen.created_at, config);
    const to = { id: citizen?.id ?? null, name: citizen?.first_name ?? '', email: citizen?.email ?? '', endsAt };
    await sendActivationMail(command, config, to);
    await command.audit('resend-activation', citizen?.id ?? null);
    const isOver = endsAt !== null && endsAt <= command.now;
    return citizen !== null && citizen.email !== null && citizen.email_verified_at === null && !isOver;
  });
}
