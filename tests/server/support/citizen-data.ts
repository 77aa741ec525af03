import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Database } from '../../../src/server/platform/database/schema.ts';
import type { Tx } from '../../../src/server/platform/database/open-store.ts';
import type { PasswordHasher } from '../../../src/server/trust/credentials/passwords.ts';
import { generateRecoveryCodes, storeRecoveryCodes } from '../../../src/server/trust/credentials/recovery-codes.ts';
import type { Citizen } from '../../../src/server/trust/identity/citizens.ts';
import type { TestServer } from './test-server.ts';

/** A citizen with default values, for tests of derived properties. */
export const unknownCitizen: Citizen = {
  id: 'c',
  country: 'uy',
  type: 'ci',
  number: '1',
  first_name: 'A',
  second_name: '',
  first_surname: 'B',
  second_surname: '',
  email: null,
  email_verified_at: null,
  phone: null,
  origin: 'WEB',
  level: '',
  signature: null,
  permissions: {},
  features: true,
  proofing_due: false,
  active_at: null,
  blocked_at: null,
  closing_at: null,
  last_login_at: null,
  created_at: new Date(0),
  country_name: 'U',
  type_name: 'C',
  idp: null,
  password_changed_at: null,
};

/** Creates the row of a pending account with a passport. */
export function createCitizenRow(changes: Partial<Insertable<Database['citizens']>>) {
  return {
    id: randomUUID(),
    country: 'ar',
    type: 'psp',
    number: '1',
    first_name: 'Ana',
    second_name: '',
    first_surname: 'Paz',
    second_surname: '',
    email: null,
    email_verified_at: null,
    phone: null,
    origin: 'WEB',
    level: 'Autoregistrado' as const,
    signature: null,
    permissions: '{}',
    active_at: null,
    blocked_at: null,
    last_login_at: null,
    created_at: new Date(0),
    ...changes,
  };
}

/** Creates the row of an anonymous message to support. */
export function createMessageRow(changes: Partial<Insertable<Database['contact_messages']>>) {
  return {
    citizen_id: null,
    name: 'Inés Quiroga',
    country: 'ar',
    type: 'dni',
    number: '1',
    email: 'ines@example.com',
    phone: '',
    subject: 'otro',
    message: 'x',
    language: 'es',
    created_at: new Date(0),
    due: '2071-03-12',
    ...changes,
  };
}

/** Creates the registration form of a sample citizen of the identity registry. */
export async function createRegistration(
  server: TestServer,
  changes: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  return {
    primer_nombre: 'María',
    segundo_nombre: 'José',
    primer_apellido: 'Fernández',
    segundo_apellido: 'Ñíguez',
    pais_emisor: 'uy',
    tipo_documento: 'ci',
    numero_documento: '50234162',
    email: 'Maria@Example.com',
    repetir_email: 'maria@example.com',
    numero_telefono: '+59899123456',
    password: 'una-frase-larga',
    repetir_password: 'una-frase-larga',
    terminos: true,
    captcha_response: await server.solveCaptcha(),
    ...changes,
  };
}

/** Creates a registration form with a passport, which needs no identity registry. */
export function createForeignRegistration(server: TestServer, number: string, changes: Record<string, unknown> = {}) {
  return createRegistration(server, { pais_emisor: 'ar', tipo_documento: 'psp', numero_documento: number, ...changes });
}

/** Returns the secret from the latest activation link that was mailed to an e-mail address. */
export async function readMailedLink(server: TestServer, recipient: string): Promise<string> {
  const mail = (await server.mails()).filter((found) => found.recipient === recipient).at(-1);
  const link = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0];
  const uuid = link === undefined ? null : new URL(link).searchParams.get('uuid');
  if (uuid === null) throw new Error(`no activation link was mailed to ${recipient}`);
  return uuid;
}

/** Registers and activates a citizen with a passport. Returns the id of the account. */
export async function createActiveCitizen(server: TestServer, number: string, password: string): Promise<string> {
  const email = `${number.toLowerCase()}@example.com`;
  await server.call('registerCitizen', { body: await createForeignRegistration(server, number, { email, password }) });
  await server.call('activateAccount', { body: { uuid: await readMailedLink(server, email) } });
  const { id } = await server.parts.store.db
    .selectFrom('citizens')
    .select('id')
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  return id;
}

/** Replaces a citizen's recovery codes. Returns the new codes in plain text. */
export async function replaceRecoveryCodes(
  tx: Tx,
  passwords: PasswordHasher,
  citizenId: string,
  now: Date,
): Promise<string[]> {
  return storeRecoveryCodes(tx, await generateRecoveryCodes(passwords, citizenId), now);
}
