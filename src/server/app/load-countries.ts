import countries from '../features/content/reference/countries.json' with { type: 'json' };
import type { Store } from '../platform/database/open-store.ts';

/** Puts the countries and the document types that each issues into their tables, where they are missing or changed. */
export async function loadCountries(store: Store): Promise<void> {
  const types = Object.entries(countries.tipos).map(([code, name]) => ({ code, name }));
  await store.db
    .insertInto('document_types')
    .values(types)
    .onConflict((conflict) => conflict.column('code').doUpdateSet(({ ref }) => ({ name: ref('excluded.name') })))
    .execute();
  await store.db
    .insertInto('countries')
    .values(countries.paises.map(({ codigo, nombre }, position) => ({ code: codigo, name: nombre, position })))
    .onConflict((conflict) =>
      conflict.column('code').doUpdateSet(({ ref }) => ({
        name: ref('excluded.name'),
        position: ref('excluded.position'),
      })),
    )
    .execute();
  await store.db
    .insertInto('country_documents')
    .values(
      countries.paises.flatMap(({ codigo, documentos }) =>
        documentos.map((type, position) => ({ country: codigo, type, position })),
      ),
    )
    .onConflict((conflict) =>
      conflict.columns(['country', 'type']).doUpdateSet(({ ref }) => ({ position: ref('excluded.position') })),
    )
    .execute();
}
