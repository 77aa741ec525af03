import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { readEmail } from '../../platform/base/read-text.ts';
import type { Config } from '../../platform/config/config.ts';
import { storeEmailChange } from '../../trust/credentials/email-changes.ts';
import { issueToken } from '../../trust/credentials/link-tokens.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { sendEmailChangeMail } from './email-change-mail.ts';

const codeRightLifeS = 60 * 60;

/**
 * Requests a change of address. The account keeps its address until the new one is confirmed, by the mailed link or a mailed code. Other accounts may
 * have the same address, so the response reveals nothing about them.
 */
export function updateEmail({ commands, config }: { commands: Commands; config: Config }): Handler<'updateEmail'> {
  return async ({ body, caller, origin }) => {
    const byCode = body.second_factor_flow === true;
    const email = readEmail(body.email);
    const uuid = await commands.run(origin, async (command) => {
      const { tx, now, audit, notify } = command;
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      if (email === citizen.email) throw new OperationError(400, 'correo_igual', { field: 'email' });
      await storeEmailChange(tx, { citizenId: citizen.id, email }, now);
      if (!byCode) await sendEmailChangeMail(command, config, { citizen, email });
      await notify('email-change-requested', citizen, { sessionId });
      await audit('email-change-requested', citizen.id);
      return issueToken(tx, {
        purpose: 'email-code',
        citizenId: citizen.id,
        subject: email,
        now,
        lifeS: codeRightLifeS,
      });
    });
    return { body: { uuid } };
  };
}
