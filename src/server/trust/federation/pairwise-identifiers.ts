import { createHmac } from 'node:crypto';
import type { DatabaseStore } from '../../platform/database/open-store.ts';
import type { Vault } from '../../platform/keys/vault.ts';

export type ComputePairwiseIdentifier = (sector: string, citizenId: string) => Promise<string>;

/**
 * Creates the function that derives pairwise identifiers. A sector keeps the key version of its first identifier, so that key rotation does not
 * change identifiers.
 */
export function createPairwiseIdentifierFunction(
  { store, vault }: { readonly store: Pick<DatabaseStore, 'db'>; readonly vault: Pick<Vault, 'listDerivedKeys'> },
  use: 'oidc-pairwise' | 'saml-pairwise',
): ComputePairwiseIdentifier {
  const versions = new Map<string, string>();
  const findVersion = async (sector: string): Promise<string> => {
    const [{ id }] = vault.listDerivedKeys();
    await store.db
      .insertInto('pairwise_sectors')
      .values({ use, sector, key_version: id })
      .onConflict((conflict) => conflict.columns(['use', 'sector']).doNothing())
      .execute();
    const { key_version: version } = await store.db
      .selectFrom('pairwise_sectors')
      .select('key_version')
      .where('use', '=', use)
      .where('sector', '=', sector)
      .executeTakeFirstOrThrow();
    versions.set(sector, version);
    return version;
  };
  return async (sector, citizenId) => {
    const id = versions.get(sector) ?? (await findVersion(sector));
    const version = vault.listDerivedKeys().find((one) => one.id === id);
    if (version === undefined) throw new Error(`the keys that were derived from the encryption key ${id} are missing`);
    return createHmac('sha256', version.keys[use]).update(`${sector}\n${citizenId}`).digest('base64url');
  };
}
