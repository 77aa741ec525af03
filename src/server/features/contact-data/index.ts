import { nameMails } from '../../platform/topics/mail.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { dayS, hourS } from '../../platform/base/periods.ts';
import { nameLimits } from '../../platform/topics/limit.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { confirmableFrom, storeEmailChange } from '../../trust/credentials/email-changes.ts';
import { consumeToken, findUsedToken, issueToken } from '../../trust/credentials/link-tokens.ts';
import { findCitizen } from '../../trust/identity/citizens.ts';
import { makeEmailChange, emailToValidate, sendEmailChangeMail } from './make-email-change.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { readEmail } from '../../platform/base/read-text.ts';
import type { Handler } from '../parts.ts';

export const topic = {
  handlers: () => ({ getEmail, getPendingEmail, updateEmail, approveEmailChange, updatePhone }),
  texts,
  limits: nameLimits({
    changeEmail: {
      address: { free: 60, windowS: hourS },
      document: { free: 5, windowS: hourS },
      email: { free: 10, windowS: dayS },
    },
    confirmEmail: { address: { free: 300, windowS: hourS } },
  }),
  mails: nameMails(import.meta.url, {
    'email-change': null,
    'email-change-waits': null,
    'email-confirmed': 'notices',
  }),
} as const satisfies Topic;

declare module '../../platform/topics/mail.ts' {
  interface Mails {
    'email-change': LinkValues;
    /** For a change that an agent started. It can be confirmed from `from` on. */
    'email-change-waits': LinkValues & Values<'from'>;
    'email-confirmed': Values<'name' | 'when'>;
  }
}

const codeRightLifeS = 60 * 60;

/**
 * Requests a change of address. The account keeps its address until the new one is confirmed, by the mailed link or a mailed code. Other accounts may
 * have the same address, so the response reveals nothing about them.
 */
const updateEmail: Handler<'updateEmail'> = async ({ commands, config }, { body, caller, origin }) => {
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

/** Confirms a new address with the one-time link that was mailed to it, signed in or not. A second use reports that it is already confirmed. */
const approveEmailChange: Handler<'approveEmailChange'> = async ({ commands }, { body, caller, origin }) => {
  const estado = await commands.run(origin, async (command) => {
    const { tx, now, when } = command;
    const by = await consumeToken(tx, 'email-change', body.uuid, now);
    if (by === null) return (await wasConfirmed(tx, body.uuid)) ? ('ya_confirmado' as const) : null;
    const from = by.citizenId === null ? null : await confirmableFrom(tx, by.citizenId, by.subject, now);
    if (from !== null) throw new OperationError(409, 'correo_antes_de_plazo', { values: { cuando: when(from) } }); // the link stays valid
    return (await makeEmailChange(command, { by, caller })) ? ('confirmado' as const) : null;
  });
  if (estado === null) throw new OperationError(400, 'vinculo_invalido', { invalidToken: true });
  return { body: { estado } };
};

/** Distinguishes a used link from one that another change has voided: after a confirmation, the account has its address. */
async function wasConfirmed(tx: Tx, secret: string): Promise<boolean> {
  const used = await findUsedToken(tx, 'email-change', secret);
  const citizen = used?.citizenId == null ? null : await findCitizen(tx, used.citizenId);
  return citizen !== null && citizen.email === used?.subject && citizen.email_verified_at !== null;
}

const getEmail: Handler<'getEmail'> = async ({ store }, { caller }) => {
  const { citizen } = await ownCitizen(store.db, caller);
  const { email, email_verified_at: verifiedAt } = citizen;
  return {
    body: { email, email_validado: verifiedAt !== null, email_por_validar: await emailToValidate(store.db, citizen) },
  };
};

const getPendingEmail: Handler<'getPendingEmail'> = async ({ store }, { caller }) => {
  const { citizen } = await ownCitizen(store.db, caller);
  return { body: { email: await emailToValidate(store.db, citizen) } };
};

/** Changes the citizen's phone number. An empty one removes it. Fails with 404 if the flag `telefono_autogestion` is off. */
const updatePhone: Handler<'updatePhone'> = async ({ commands, config }, { body, caller, origin }) => {
  if (!config.flags.telefono_autogestion) throw new OperationError(404, 'no_encontrado');
  const phone = (body.numero_telefono ?? '').trim() || null;
  await commands.run(origin, async ({ tx, audit, notify }) => {
    const { citizen, sessionId } = await ownCitizen(tx, caller);
    if (citizen.phone === phone) return;
    await notify('phone-changed', citizen, { sessionId });
    await tx.updateTable('citizens').set({ phone }).where('id', '=', citizen.id).execute();
    await audit('change-phone', citizen.id);
  });
  return { body: { numero_telefono: phone } };
};
