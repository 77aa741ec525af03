import { sql, type Kysely, type Selectable } from 'kysely';
import { type IdentityDocument, formatDocumentId } from '../../platform/base/identity-document.ts';
import { createPreparedQuery } from '../../platform/database/prepared-query.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { PersonNames } from './registry/compare-names.ts';
import type { ActionsByResource } from '../../../contract/operation-access.ts';
import { portalConstants } from '../../../contract/constants.ts';
import type { Config } from '../../platform/config/config.ts';

export type Citizen = Selectable<Database['citizens']> & {
  readonly country_name: string;
  readonly type_name: string;
  readonly password_changed_at: Date | null;
};

export async function findCitizen(db: Kysely<Database>, id: string): Promise<Citizen | null> {
  const [found] = await selectCitizenById(db, { id });
  return found ?? null;
}

/** Finds the account of a document. Ignores records of foreign identity providers, which may have the same document. */
export async function findCitizenByDocument(
  db: Kysely<Database>,
  { country, type, number }: IdentityDocument,
): Promise<Citizen | null> {
  const found = await selectCitizens(db)
    .where('citizens.country', '=', country)
    .where('citizens.type', '=', type)
    .where('citizens.number', '=', number)
    .where('citizens.idp', 'is', null)
    .executeTakeFirst();
  return found ?? null;
}

export async function findCitizensByEmail(db: Kysely<Database>, email: string) {
  return db
    .selectFrom('citizens')
    .select(['id', 'country', 'type', 'number'])
    .where(sql`lower(email)`, '=', email.trim().toLowerCase())
    .where('idp', 'is', null)
    .orderBy('country')
    .orderBy('type')
    .orderBy('number')
    .limit(20)
    .execute();
}

export async function findPasswordHash(db: Kysely<Database>, citizenId: string): Promise<string | null> {
  const credential = await db
    .selectFrom('credentials')
    .select('password_hash')
    .where('citizen_id', '=', citizenId)
    .executeTakeFirst();
  return credential?.password_hash ?? null;
}

export function isProvenEmail({ email, email_verified_at: verifiedAt }: Citizen, address: string): boolean {
  return verifiedAt !== null && email === address;
}

type NameColumns = Pick<Citizen, 'first_name' | 'second_name' | 'first_surname' | 'second_surname'>;

export function toPersonNames(row: NameColumns): PersonNames {
  return {
    firstName: row.first_name,
    secondName: row.second_name,
    firstSurname: row.first_surname,
    secondSurname: row.second_surname,
  };
}

export function toNameColumns({ firstName, secondName, firstSurname, secondSurname }: PersonNames) {
  return { first_name: firstName, second_name: secondName, first_surname: firstSurname, second_surname: secondSurname };
}

export function formatFullName(citizen: NameColumns): string {
  const names = [citizen.first_name, citizen.second_name, citizen.first_surname, citizen.second_surname];
  return names.filter((name) => name !== '').join(' ');
}

/** Names of the columns. They are explicit, so that a prepared statement returns the same columns after a migration adds a column. */
const citizenColumns = [
  'citizens.id',
  'citizens.country',
  'citizens.type',
  'citizens.number',
  'citizens.first_name',
  'citizens.second_name',
  'citizens.first_surname',
  'citizens.second_surname',
  'citizens.email',
  'citizens.email_verified_at',
  'citizens.phone',
  'citizens.origin',
  'citizens.level',
  'citizens.signature',
  'citizens.permissions',
  'citizens.features',
  'citizens.proofing_due',
  'citizens.active_at',
  'citizens.blocked_at',
  'citizens.last_login_at',
  'citizens.created_at',
  'citizens.closing_at',
  'citizens.idp',
] as const;

export function selectCitizens(db: Kysely<Database>) {
  return db
    .selectFrom('citizens')
    .innerJoin('countries', 'countries.code', 'citizens.country')
    .innerJoin('document_types', 'document_types.code', 'citizens.type')
    .leftJoin('credentials', 'credentials.citizen_id', 'citizens.id')
    .select(citizenColumns)
    .select([
      'countries.name as country_name',
      'document_types.name as type_name',
      'credentials.changed_at as password_changed_at',
    ]);
}

const selectCitizenById = createPreparedQuery<{ id: string }, Citizen>((db, value) =>
  selectCitizens(db).where('citizens.id', '=', value('id')),
);

/** Masks an e-mail address, e.g. `m***@example.com`, for users who have not proven that they own it. */
export function maskEmail(email: string): string {
  return email.replace(/^(.)[^@]*/, '$1***');
}

/**
 * Holders of a national document have the configured permissions. Permissions granted to a citizen on a resource replace the configured ones on this
 * resource.
 */
export function resolveCitizenPermissions(
  { citizenPermissions }: Pick<Config, 'citizenPermissions'>,
  { country, permissions }: Pick<Citizen, 'country' | 'permissions'>,
): ActionsByResource {
  return country === portalConstants.defaultCountry ? { ...citizenPermissions, ...permissions } : permissions;
}

/**
 * The `uid` claim and attribute, and the NameID of unspecified format. For an account, its document, e.g. `uy-ci-12345672` (section 3 of ID Uruguay's
 * profile). For the record of a foreign provider, provider and id, e.g. `br:0b3f…`, because others may have the same document. No document contains a
 * colon, so the two formats cannot collide.
 */
export function formatUidClaim({ id, idp, ...document }: Pick<Citizen, 'id' | 'idp' | 'country' | 'type' | 'number'>) {
  return idp === null ? formatDocumentId(document).toLowerCase() : `${idp}:${id}`;
}
