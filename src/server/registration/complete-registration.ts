import { endOthers } from '../sessions/end-others.ts';
import type { Handler } from '../base/call.ts';
import { documentId } from '../base/document.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { agree, differingField } from '../identity/registry/agree.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { findCitizen, type Citizen } from '../identity/citizens.ts';
import { sendActivationMail } from './activation-mail.ts';
import { readRegistration, type RegistrationForm } from './registration-form.ts';
import { issueResendRight } from './resend-right.ts';

/**
 * Completes the record of a signed-in citizen who was registered elsewhere (section 4.4): e-mail, phone and password. The
 * names and the document were verified there and stay; the form must repeat them.
 */
export function completeRegistration(parts: Parts): Handler<'completeRegistration'> {
  const { captcha, store, clock, passwords } = parts;
  return async ({ params, body, caller, address, requestId, language }) => {
    const id = params['id'] ?? '';
    const form = readRegistration(body);
    await captcha.verify(form.captcha, 'captcha_response');
    const passwordHash = await passwords.hash(form.password);

    const reenvio = await store.transaction(async (tx) => {
      const now = clock.now();
      const citizen = await findCitizen(tx, id);
      if (citizen === null) throw new CallError(404, 'no_encontrado');
      checkSamePerson(citizen, form);
      await tx
        .updateTable('citizens')
        .set({ email: form.email, email_verified_at: null, phone: form.phone })
        .where('id', '=', id)
        .execute();
      await tx
        .insertInto('credentials')
        .values({ citizen_id: id, password_hash: passwordHash, changed_at: now })
        .onConflict((conflict) =>
          conflict.column('citizen_id').doUpdateSet({ password_hash: passwordHash, changed_at: now }),
        )
        .execute();
      await endOthers(tx, id, now, caller?.sessionId ?? null);
      await appendAudit(tx, { at: now, action: 'complete-registration', citizenId: id, address, requestId });
      await sendActivationMail(tx, parts, { id, name: citizen.first_name, email: form.email }, language);
      return issueResendRight(tx, parts, documentId(form.document));
    });
    return { body: { email: form.email, reenvio } };
  };
}

function checkSamePerson(citizen: Citizen, { document, person }: RegistrationForm): void {
  if (citizen.email !== null) throw new CallError(409, 'registro_completo');
  if (documentId(citizen) !== documentId(document)) {
    throw new CallError(400, 'documento_distinto', { field: 'numero_documento' });
  }
  const recorded = {
    firstName: citizen.first_name,
    secondName: citizen.second_name,
    firstSurname: citizen.first_surname,
    secondSurname: citizen.second_surname,
  };
  if (agree(person, recorded) !== 'agree')
    throw new CallError(400, 'datos_no_coinciden', { field: differingField(person, recorded) });
}
