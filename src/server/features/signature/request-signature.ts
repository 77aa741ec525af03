import { href } from '../../../contract/href.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { serverPages } from '../../../contract/pages.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { sealRequest } from './request.ts';
import { checkMaySign } from './signature-conditions.ts';
import type { Parts } from '../parts.ts';

/**
 * Returns the address where a citizen signs: a page of this server with a sealed request, or an external platform (DSS_URL) with the request as
 * `state` and that page as `return_url`. Only a file submitted to that page raises the level. Stores nothing.
 */
export function requestSignature({ store, clock, config, vault, trust }: Parts): Handler<'requestSignature'> {
  return async ({ caller }) => {
    const { citizen, sessionId } = await ownCitizen(store.db, caller);
    checkMaySign(citizen);
    if (trust.roots.length === 0) throw new OperationError(503, 'firma_no_disponible');
    const uuid = sealRequest(vault, { citizenId: citizen.id, sessionId, at: clock.now() });
    const page = href(serverPages.sign, { uuid });
    if (config.signature.platform === null) return { body: { url: page } };
    const platform = new URL(config.signature.platform);
    platform.searchParams.set('state', uuid);
    platform.searchParams.set('return_url', config.baseUrl + page);
    return { body: { url: platform.href } };
  };
}
