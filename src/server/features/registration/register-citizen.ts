import { randomUUID } from 'node:crypto';
import type { Language } from '../../../contract/portal-config.ts';
import {
  formatDocumentId,
  isNationalIdentityDocument,
  type IdentityDocument,
  normalizeDocument,
} from '../../platform/base/identity-document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { createCatalogueLookup } from '../../platform/base/texts.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { assertDocumentTypeIssued, verifyIdentityInRegistry } from '../../trust/identity/verify-identity.ts';
import { findCitizenByDocument, toNameColumns, toPersonNames, type Citizen } from '../../trust/identity/citizens.ts';
import { comparePersonNames, type PersonNames } from '../../trust/identity/registry/compare-names.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import { computePendingRegistrationExpiry, sendActivationMail, issueActivationResendToken } from './activation-mail.ts';
import own from './texts.json' with { type: 'json' };
import type { ResponseBodyHandler, ReplyHandler } from '../handler-context.ts';
import type { OperationBody } from '../../../contract/contract.ts';
import { normalizeEmail } from '../../platform/base/normalize-input.ts';
import { secondsPerHour } from '../../platform/base/fixed-periods.ts';
import { findLiveLinkToken, issueLinkToken, voidLinkTokens } from '../../trust/credentials/link-tokens.ts';

export const correctEmail: ResponseBodyHandler<'correctEmail'> = async (
  { commands, clock, config, store, throttle, limits },
  { body, cookies, origin },
) => {
  const right = await findLiveLinkToken(store.db, 'correct-email', cookies.registration ?? '', clock.now());
  const citizenId = right?.citizenId ?? null;
  if (right === null || citizenId === null) throw new OperationError(400, 'correccion_vencida');
  await throttle.admit(limits.correct, { document: right.subject }, clock.now());
  const email = normalizeEmail(body.email);
  await commands.run(origin, async (command) => {
    const { tx, now, audit } = command;
    await voidLinkTokens(tx, 'activation', citizenId, now);
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
      endsAt: computePendingRegistrationExpiry(corrected.created_at, config),
    });
  });
  return { email };
};

const textOf = createCatalogueLookup(own);

/** Registers a citizen. The response reveals whether a document already has an account, so the captcha and the rate limits prevent mass queries. */
export const registerCitizen: ReplyHandler<'registerCitizen'> = async (
  { commands, config, passwords, registry, store },
  { body, origin },
) => {
  const typed = parseRegistrationForm(body);
  await assertDocumentTypeIssued(store, typed.document);
  const form = { ...typed, person: await verifyIdentityInRegistry(registry, typed.document, typed.person) };
  const passwordHash = await passwords.hash(form.password);

  const { reenvio, cookies } = await commands.run(origin, async (command) => {
    const { tx, now, audit } = command;
    if (!(await deletePendingAccountOfDocument(command, form)))
      throw createAlreadyRegisteredError(form.document, config, origin.language);
    const id = await insertCitizen(tx, form, passwordHash, now);
    await audit('register', id);
    await sendActivationMail(command, config, {
      id,
      name: form.person.firstName,
      email: form.email,
      endsAt: computePendingRegistrationExpiry(now, config),
    });
    const document = formatDocumentId(form.document);
    // Data of the cookie with which only the browser that registered the account may correct the account's e-mail address.
    const correction = {
      purpose: 'correct-email',
      citizenId: id,
      subject: document,
      now,
      lifeS: secondsPerHour,
    } as const;
    return {
      reenvio: await issueActivationResendToken(command, document),
      cookies: { registration: { value: await issueLinkToken(tx, correction), maxAge: secondsPerHour } },
    };
  });
  return { body: { email: form.email, reenvio }, cookies };
};

/**
 * Deletes a pending account with the document, unless it belongs to another person and its link is still valid. Returns whether the document is
 * free.
 */
export async function deletePendingAccountOfDocument(
  { tx, now, audit }: DatabaseCommand,
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

/**
 * Whether a registration and a pending account belong to the same person. `true` for a national document, because the registry has already confirmed
 * both names.
 */
function isSamePerson(document: IdentityDocument, person: PersonNames, holder: Citizen): boolean {
  const recorded = toPersonNames(holder);
  return (
    isNationalIdentityDocument(document) ||
    comparePersonNames(person, recorded) === 'agree' ||
    comparePersonNames(recorded, person) === 'agree'
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
  document: IdentityDocument,
  { brand }: Pick<Config, 'brand'>,
  language: Language,
): OperationError {
  const noun = isNationalIdentityDocument(document) ? 'cedula' : document.type === 'psp' ? 'pasaporte' : 'otro';
  const values = { documento: textOf(`documento_${noun}`, language), producto: brand.product };
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
      ...toNameColumns(person),
      email,
      phone,
      origin: 'WEB',
      level: isNationalIdentityDocument(document) ? 'Autoregistro con CI' : 'Autoregistrado',
      permissions: '{}',
      created_at: now,
    })
    .execute();
  await tx.insertInto('credentials').values({ citizen_id: id, password_hash: passwordHash, changed_at: now }).execute();
  return id;
}

export type RegistrationForm = ReturnType<typeof parseRegistrationForm>;

/** Parses a registration form, whose fields the screen's validator has checked. Normalizes the e-mail address and the spaces in names. */
export function parseRegistrationForm(form: OperationBody<'registerCitizen'>) {
  return {
    person: {
      firstName: normalizeName(form.primer_nombre),
      secondName: normalizeName(form.segundo_nombre),
      firstSurname: normalizeName(form.primer_apellido),
      secondSurname: normalizeName(form.segundo_apellido),
    },
    document: normalizeDocument(form.pais_emisor, form.tipo_documento, form.numero_documento),
    email: normalizeEmail(form.email),
    phone: (form.numero_telefono ?? '').trim() || null,
    password: form.password ?? '',
  };
}

function normalizeName(value = ''): string {
  return value.normalize('NFC').trim().replace(/\s+/g, ' ');
}
