import type { Reply } from '../../platform/base/operation-request.ts';
import { readEmail } from '../../platform/base/read-text.ts';
import { hourS } from '../../platform/base/periods.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { findLiveToken, issueToken, voidTokens } from '../../trust/credentials/link-tokens.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { registrationEnd, sendActivationMail } from './activation-mail.ts';
import type { Handler } from '../parts.ts';

/** Corrects the address of a pending account from the browser that registered it. Voids its links and mails a new one. */
export const correctEmail: Handler<'correctEmail'> = async (
  { commands, clock, config, store, throttle, limits },
  { body, cookies, origin },
) => {
  const right = await findLiveToken(store.db, 'correct-email', cookies.registration ?? '', clock.now());
  const citizenId = right?.citizenId ?? null;
  if (right === null || citizenId === null) throw new OperationError(400, 'correccion_vencida');
  await throttle.admit(limits.correct, { document: right.subject }, clock.now());
  const email = readEmail(body.email);
  await commands.run(origin, async (command) => {
    const { tx, now, audit } = command;
    await voidTokens(tx, 'activation', citizenId, now);
    const corrected = await tx
      .updateTable('citizens')
      .set({ email })
      .where('id', '=', citizenId)
      .where('active_at', 'is', null)
      .where('blocked_at', 'is', null)
      .returning(['first_name', 'created_at'])
      .executeTakeFirst();
    if (!corrected) throw new OperationError(400, 'correccion_vencida');
    await audit('correct-email', citizenId);
    await sendActivationMail(command, config, {
      id: citizenId,
      name: corrected.first_name,
      email,
      endsAt: registrationEnd(corrected.created_at, config),
    });
  });
  return { body: { email } };
};

/** Issues the right to correct the address of a pending account, as a cookie for the browser that registers it. */
export async function correctionCookie(
  { tx, now }: Command,
  { citizenId, document }: { citizenId: string; document: string },
): Promise<NonNullable<Reply<'registerCitizen'>['cookies']>> {
  const token = { purpose: 'correct-email', citizenId, subject: document, now, lifeS: hourS } as const;
  return { registration: { value: await issueToken(tx, token), maxAge: hourS } };
}
