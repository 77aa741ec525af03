import type { Handler } from '../base/call.ts';
import { documentId } from '../base/document.ts';
import { CallError } from '../base/errors.ts';
import type { Config } from '../config/config.ts';
import type { Passwords } from '../credentials/passwords.ts';
import { findCitizen, type Citizen } from '../identity/citizens.ts';
import { agree, differingField } from '../identity/registry/agree.ts';
import type { Commands } from '../notices/commands.ts';
import { endOthers } from '../sessions/end-others.ts';
import { sendActivationMail } from './activation-mail.ts';
import { alreadyRegistered, makeRoom } from './register-citizen.ts';
import { readRegistration, type RegistrationForm } from './registration-form.ts';
import { issueResendRight } from './resend-right.ts';

interface Needs {
  readonly commands: Commands;
  readonly config: Config;
  readonly passwords: Passwords;
}

/**
 * Completes the record of a signed-in citizen who was registered elsewhere (section 4.4): e-mail, phone and password. The
 * names and the document were verified there and stay; the form must repeat them. The record of a foreign identity provider becomes an account by it, unless
 * its document has one.
 */
export function completeRegistration({ commands, config, passwords }: Needs): Handler<'completeRegistration'> {
  return async ({ params, body, caller, origin }) => {
    const id = params['id'] ?? '';
    const form = readRegistration(body);
    const passwordHash = await passwords.hash(form.password);

    const reenvio = await commands.run(origin, async (command) => {
      const { tx, now, audit } = command;
      const citizen = await findCitizen(tx, id);
      if (citizen === null) throw new CallError(404, 'no_encontrado');
      checkSamePerson(citizen, form);
      if (citizen.idp !== null && !(await makeRoom(tx, form.document, now)))
        throw alreadyRegistered(form.document, config, origin.language);
      await tx
        .updateTable('citizens')
        .set({ email: form.email, email_verified_at: null, phone: form.phone, idp: null })
        .where('id', '=', id)
        .execute();
      const credentials = { password_hash: passwordHash, changed_at: now };
      await tx
        .insertInto('credentials')
        .values({ citizen_id: id, ...credentials })
        .onConflict((conflict) => conflict.column('citizen_id').doUpdateSet(credentials))
        .execute();
      await endOthers(tx, id, now, caller?.sessionId ?? null);
      await audit('complete-registration', id);
      await sendActivationMail(command, config, { id, name: citizen.first_name, email: form.email });
      return issueResendRight(command, documentId(form.document));
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
