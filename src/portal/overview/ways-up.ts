import type { PortalConfig } from '../../contract/portal-config.ts';
import type { Store } from '../../domain/root-store.ts';
import { constants } from '../../contract/constants.ts';

/**
 * The ways by which a citizen may raise the level here: by signature, and by a call, which takes a document of the country, a session in the own name
 * and a permission, and is booked once. A restricted citizen's ways are among them: that ends.
 */
export function waysUp(
  store: Store,
  user: NonNullable<Store['user']>,
  { digitalSignature, flags }: Pick<PortalConfig, 'digitalSignature' | 'flags'>,
) {
  return {
    signature: digitalSignature,
    call:
      user.documento.pais_emisor.codigo === constants.defaultCountry &&
      !user.raisesByCall &&
      !['role', 'permission'].includes(store.refusalOfOperation('bookElevation', flags) ?? ''),
  };
}
