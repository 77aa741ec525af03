import { href } from '../../contract/href.ts';
import type { Handler } from '../base/call.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { portalPages } from '../base/portal-pages.ts';
import { sealRequest } from './request.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import { checkMaySign } from './signature-conditions.ts';

/**
 * Where a citizen signs. The page of this server gets a sealed request; an outside platform (DSS_URL) gets the same as `state`, with the
 * address of that page as `return_url`: only what is handed in there raises the level. It stores nothing.
 */
export function requestSignature({ config, store, clock, vault, trust }: Parts): Handler<'requestSignature'> {
  return async ({ caller }) => {
    const { citizen, sessionId } = await ownCitizen(store.db, caller);
    checkMaySign(citizen);
    if (trust.roots.length === 0) throw new CallError(503, 'firma_no_disponible');
    const uuid = sealRequest(vault, { citizenId: citizen.id, sessionId, at: clock.now() });
    const page = href(portalPages.sign, { uuid });
    if (config.signature.platform === null) return { body: { url: page } };
    const platform = new URL(config.signature.platform);
    platform.searchParams.set('state', uuid);
    platform.searchParams.set('return_url', config.baseUrl + page);
    return { body: { url: platform.href } };
  };
}
