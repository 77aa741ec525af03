import { randomUUID } from 'node:crypto';
import type { Language } from '../../../contract/portal-config.ts';
import { formatDocumentId, isNational, type Document, readDocument } from '../../platform/base/identity-document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { createTexts } from '../../platform/base/texts.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { checkDocumentType, checkIdentity } from '../../trust/identity/check-identity.ts';
import { findCitizenByDocument, toPerson, type Citizen } from '../../trust/identity/citizens.ts';
import { compareNames, type Person } from '../../trust/identity/registry/compare-names.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { computeRegistrationEnd, sendActivationMail, issueResendToken } from './activation-mail.ts';
import own from './texts.json' with { type: 'json' };
import type { AnswerHandler, Handler } from '../handler-context.ts';
import type { Body } from '../../../contract/contract.ts';
import { readEmail } from '../../platform/base/read-text.ts';
import type { Reply } from '../../platform/base/operation-request.ts';
import { hourS } from '../../platform/base/periods.ts';
import { findLiveToken, issueToken, voidTokens } from '../../trust/credentials/link-tokens.ts';

/** Corrects the e-mail address of a pending account, in the browser that registered it. Voids earlier activation links and mails a new one. */
export const correctEmail: AnswerHandler<'correctEmail'> = async (
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
      endsAt: computeRegistrationEnd(corrected.created_at, config),
    });
  });
  return { email };
};

/** Issues a token that authorizes a correction of a pending account's e-mail address, as a cookie for the browser that registered it. */
async function createCorrectionCookie(
  { tx, now }: Command,
  { citizenId, document }: { citizenId: string; document: string },
): Promise<NonNullable<Reply<'registerCitizen'>['cookies']>> {
  const token = { purpose: 'correct-email', citizenId, subject: document, now, lifeS: hourS } as const;
  return { registration: { value: await issueToken(tx, token), maxAge: hourS } };
}

const textOf = createTexts(own);

/**
 * Creates an account that the citizen must activate by e-mail. The captcha and the rate limits of the operation protect the response, which
 * reveals whether a document already has an account.
 */
export const registerCitizen: Handler<'registerCitizen'> = async (
  { commands, config, passwords, registry, store },
  { body, origin },
) => {
  const typed = parseRegistration(body);
  await checkDocumentType(store, typed.document);
  const form = { ...typed, person: await checkIdentity(registry, typed.document, typed.person) };
  const passwordHash = await passwords.hash(form.password);

  const { reenvio, cookies } = await commands.run(origin, async (command) => {
    const { tx, now, audit } = command;
    if (!(await freeDocument(command, form)))
      throw createAlreadyRegisteredError(form.document, config, origin.language);
    const id = await insertCitizen(tx, form, passwordHash, now);
    await audit('register', id);
    await sendActivationMail(command, config, {
      id,
      name: form.person.firstName,
      email: form.email,
      endsAt: computeRegistrationEnd(now, config),
    });
    const document = formatDocumentId(form.document);
    return {
      reenvio: await issueResendToken(command, document),
      cookies: await createCorrectionCookie(command, { citizenId: id, document }),
    };
  });
  return { body: { email: form.email, reenvio }, cookies };
};

/**
 * Frees a document for a registration by deleting the pending account that has it. Does not delete another person's pending account while its
 * activation link is valid. Returns whether the document is free.
 */
export async function freeDocument(
  { tx, now, audit }: Command,
  { document, person }: Pick<RegistrationForm, 'document' | 'person'>,
): Promise<boolean> {
  const holder = await findCitizenByDocument(tx, document);
  if (holder === null) return true;
  if (holder.active_at !== null || holder.blocked_at !== null) return false;
  if (!isSamePerson(document, person, holder) && (await hasOpenLink(tx, holder.id, now))) return false;
  await tx.deleteFrom('citizens').where('id', '=', holder.id).execute();
  await tx.deleteFrom('challenges').where('citizen_id', '=', holder.id).execute();
  await audit('replace-pending', holder.id);
  return true;
}

/** Whether a registration and a pending account belong to the same person. For a national document, the registry has already checked both names. */
function isSamePerson(document: Document, person: Person, holder: Citizen): boolean {
  const recorded = toPerson(holder);
  return (
    isNational(document) || compareNames(person, recorded) === 'agree' || compareNames(recorded, person) === 'agree'
  );
}

async function hasOpenLink(tx: Tx, citizenId: string, now: Date): Promise<boolean> {
  const open = await tx
    .selectFrom('link_tokens')
    .select('hash')
    .where('citizen_id', '=', citizenId)
    .where('purpose', '=', 'activation')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

export function createAlreadyRegisteredError(
  document: Document,
  { brand }: Pick<Config, 'brand'>,
  language: Language,
): OperationError {
  const values = { documento: textOf(selectNoun(document), language), producto: brand.product };
  return new OperationError(409, 'ya_registrado', { field: 'numero_documento', values });
}

async function insertCitizen(
  tx: Tx,
  { person, document, email, phone }: RegistrationForm,
  passwordHash: string,
  now: Date,
): Promise<string> {
  const id = randomUUID();
  await tx
    .insertInto('citizens')
    .values({
      id,
      ...document,
      first_name: person.firstName,
      second_name: person.secondName,
      first_surname: person.firstSurname,
      second_surname: person.secondSurname,
      email,
      email_verified_at: null,
      phone,
      origin: 'WEB',
      level: isNational(document) ? 'Autoregistro con CI' : 'Autoregistrado',
      signature: null,
      permissions: '{}',
      active_at: null,
      blocked_at: null,
      last_login_at: null,
      created_at: now,
    })
    .execute();
  await tx.insertInto('credentials').values({ citizen_id: id, password_hash: passwordHash, changed_at: now }).execute();
  return id;
}

function selectNoun(document: Document): 'documento_cedula' | 'documento_pasaporte' | 'documento_otro' {
  if (isNational(document)) return 'documento_cedula';
  return document.type === 'psp' ? 'documento_pasaporte' : 'documento_otro';
}

/** Parsed registration form. The screen's validator has already checked its fields. */
export interface RegistrationForm {
  readonly person: Person;
  readonly document: Document;
  readonly email: string;
  readonly phone: string | null;
  readonly password: string;
}

/** Parses a registration form. Normalizes the e-mail address and the spaces in names. */
export function parseRegistration(form: Body<'registerCitizen'>): RegistrationForm {
  return {
    person: {
      firstName: normalizeName(form.primer_nombre),
      secondName: normalizeName(form.segundo_nombre),
      firstSurname: normalizeName(form.primer_apellido),
      secondSurname: normalizeName(form.segundo_apellido),
    },
    document: readDocument(form.pais_emisor, form.tipo_documento, form.numero_documento),
    email: readEmail(form.email),
    phone: (form.numero_telefono ?? '').trim() || null,
    password: form.password ?? '',
  };
}

function normalizeName(value = ''): string {
  return value.normalize('NFC').trim().replace(/\s+/g, ' ');
}
