import { href } from '../../../contract/href.ts';
import { pages } from '../../../contract/pages.ts';
import type { Handler, Handlers } from '../../base/call.ts';
import { CallError } from '../../base/errors.ts';
import type { Interactions } from '../clients/pending-request.ts';
import { framesOfChain, type ChainNeeds } from '../saml/logout-chain.ts';
import { samlPaths } from '../saml/names.ts';
import type { Saml } from '../saml/open-saml.ts';

/** With more frames than these the portal waits for the longer of its two times. */
export const mostQuickFrames = 3;

/** What the handlers of this room work with. */
type Needs = Omit<ChainNeeds, 'providers' | 'credentials'> & {
  readonly interactions: Interactions;
  readonly saml: Saml;
};

/** The calls of a logout that is on its way. */
export function brokerHandlers(needs: Needs) {
  return {
    getSloResponse: getSloResponse({ ...needs, ...needs.saml }),
    getForcedLogoutRequests: getForcedLogoutRequests(needs),
  } satisfies Partial<Handlers>;
}

/** A logout of another browser is none. */
function getSloResponse(needs: ChainNeeds): Handler<'getSloResponse'> {
  return async ({ query, cookies }) => {
    const processState = query['process_state'] ?? '';
    const frames = await framesOfChain(needs, processState, cookies.saml);
    if (frames === null) throw new CallError(404, 'no_encontrado');
    const finished = query['status'] === 'finish';
    return {
      body: {
        logout_requests: finished ? [] : [...frames],
        wait_longer: frames.length > mostQuickFrames,
        logout_redirect: finished ? href(samlPaths.logoutNext, { process_state: processState }) : null,
      },
    };
  };
}

/** Nobody has to be told before a new sign-in: the session goes on until that has succeeded. */
function getForcedLogoutRequests({ interactions }: { interactions: Interactions }): Handler<'getForcedLogoutRequests'> {
  return async ({ query }) => {
    const processState = query['process_state'] ?? '';
    if ((await interactions.find(processState)) === null) throw new CallError(404, 'no_encontrado');
    const login = href(pages.login, { process_state: processState });
    return { body: { logout_requests: [], wait_longer: false, logout_redirect: login } };
  };
}
