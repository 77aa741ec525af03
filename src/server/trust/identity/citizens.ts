import type { Kysely, Selectable } from 'kysely';
import type { Document } from '../../platform/base/document.ts';
import type { Database } from '../../platform/database/schema.ts';

/** A citizen's record with the names behind its codes. */
export type Citizen = Selectable<Database['citizens']> & {
  readonly country_name: string;
  readonly type_name: string;
  readonly password_changed_at: Date | null;
};

/** The citizen with that id, or null. */
export async function findCitizen(db: Kysely<Database>, id: string): Promise<Citizen | null> {
  return (await select(db).where('citizens.id', '=', id).executeTakeFirst()) ?? null;
}

/** The citizen with an account for that document, or null: a record of a foreign identity provider is none. */
export async function findCitizenByDocument(
  db: Kysely<Database>,
  { country, type, number }: Document,
): Promise<Citizen | null> {
  const found = await select(db)
    .where('citizens.country', '=', country)
    .where('citizens.type', '=', type)
    .where('citizens.number', '=', number)
    .where('citizens.idp', 'is', null)
    .executeTakeFirst();
  return found ?? null;
}

/** The hash of a citizen's password; null without one. */
export async function passwordHashOf(db: Kysely<Database>, citizenId: string): Promise<string | null> {
  const credential = await db
    .selectFrom('credentials')
    .select('password_hash')
    .where('citizen_id', '=', citizenId)
    .executeTakeFirst();
  return credential?.password_hash ?? null;
}

/** The citizen's names in a row, without the empty ones. */
export function fullName(
  citizen: Pick<Citizen, 'first_name' | 'second_name' | 'first_surname' | 'second_surname'>,
): string {
  const names = [citizen.first_name, citizen.second_name, citizen.first_surname, citizen.second_surname];
  return names.filter((name) => name !== '').join(' ');
}

function select(db: Kysely<Database>) {
  return db
    .selectFrom('citizens')
    .innerJoin('countries', 'countries.code', 'citizens.country')
    .innerJoin('document_types', 'document_types.code', 'citizens.type')
    .leftJoin('credentials', 'credentials.citizen_id', 'citizens.id')
    .selectAll('citizens')
    .select([
      'countries.name as country_name',
      'document_types.name as type_name',
      'credentials.changed_at as password_changed_at',
    ]);
}
