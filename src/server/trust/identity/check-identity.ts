import { OperationError } from '../../platform/base/errors.ts';
import { isNational, type Document } from '../../platform/base/document.ts';
import { agree, differingField, spelledBy, type Person } from './registry/agree.ts';
import { RegistryUnreachable, type CardHolder, type Registry } from './registry/registry.ts';
import type { Store } from '../../platform/database/open-store.ts';

/** Refuses a document type that the country does not issue. */
export async function checkDocumentType({ db }: Store, { country, type }: Document): Promise<void> {
  const issued = await db
    .selectFrom('country_documents')
    .select('type')
    .where('country', '=', country)
    .where('type', '=', type)
    .executeTakeFirst();
  if (!issued) throw new OperationError(400, 'documento_no_admitido', { field: 'tipo_documento' });
}

/**
 * Asks the registry about the holder of a national document. A number that nobody has and another surname are one answer,
 * so that nobody learns which numbers exist: the surname is marked, since a mistyped number has a wrong check digit. Answers the names as the registry writes them; of another document as they were given.
 */
export async function checkIdentity(registry: Registry, document: Document, person: Person): Promise<Person> {
  if (!isNational(document)) return person;
  const holder = await askRegistry(registry, document.number);
  const agreement = holder === null ? 'surname-differs' : agree(person, holder);
  if (holder === null || agreement === 'surname-differs')
    throw new OperationError(400, 'datos_incorrectos', { field: 'primer_apellido' });
  if (agreement === 'names-differ')
    throw new OperationError(400, 'datos_no_coinciden', { field: differingField(person, holder) });
  return spelledBy(holder, person);
}

/** Who holds a national document; throws a 503 while the registry cannot be asked. */
export async function askRegistry(registry: Registry, number: string): Promise<CardHolder | null> {
  try {
    return await registry.find(number);
  } catch (error) {
    if (error instanceof RegistryUnreachable)
      throw new OperationError(503, 'registro_no_disponible', { retryAfter: 60, cause: error });
    throw error;
  }
}
