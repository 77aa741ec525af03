import type { PortalConfig } from '../../contract/portal-config.ts';
import type { Store } from '../../domain/root-store.ts';
import { constants } from '../../contract/constants.ts';

/**
 * Returns the methods by which the citizen can raise the level: signature and call. A call requires a Uruguayan document, the citizen's own session
 * and a permission, and none may be pending. Restricted citizens see them too, because the restriction is temporary.
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
