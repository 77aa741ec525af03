import { OperationError } from '../../platform/base/errors.ts';
import { isNationalIdentityDocument, type IdentityDocument } from '../../platform/base/identity-document.ts';
import {
  comparePersonNames,
  findDifferingNameField,
  applyRegistrySpelling,
  type PersonNames,
} from './registry/compare-names.ts';
import { RegistryUnreachableError, type IdentityRegistry } from './registry/identity-registry.ts';
import type { DatabaseStore } from '../../platform/database/open-store.ts';

export async function assertDocumentTypeIssued({ db }: DatabaseStore, { country, type }: IdentityDocument) {
  const issued = await db
    .selectFrom('country_documents')
    .select('type')
    .where('country', '=', country)
    .where('type', '=', type)
    .executeTakeFirst();
  if (!issued) throw new OperationError(400, 'documento_no_admitido', { field: 'tipo_documento' });
}

/**
 * Throws the same error for an unknown number and for another surname, so that it does not reveal which numbers exist. The error is at the surname
 * field, because a mistyped number would already have failed its check digit.
 */
export async function verifyIdentityInRegistry(
  registry: IdentityRegistry,
  document: IdentityDocument,
  person: PersonNames,
): Promise<PersonNames> {
  if (!isNationalIdentityDocument(document)) return person;
  const holder = await queryIdentityRegistry(registry, document.number);
  const agreement = holder === null ? 'surname-differs' : comparePersonNames(person, holder);
  if (holder === null || agreement === 'surname-differs')
    throw new OperationError(400, 'datos_incorrectos', { field: 'primer_apellido' });
  if (agreement === 'names-differ')
    throw new OperationError(400, 'datos_no_coinciden', { field: findDifferingNameField(person, holder) });
  return applyRegistrySpelling(holder, person);
}

export async function queryIdentityRegistry(registry: IdentityRegistry, number: string) {
  try {
    return await registry.findHolder(number);
  } catch (error) {
    if (error instanceof RegistryUnreachableError)
      throw new OperationError(503, 'registro_no_disponible', { retryAfter: 60, cause: error });
    throw error;
  }
}
