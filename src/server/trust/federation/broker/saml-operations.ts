import { brokerPages } from '../../../../contract/contract.ts';
import { href } from '../../../../contract/href.ts';
import { pages } from '../../../../contract/pages.ts';
import type { Handler } from '../../../platform/base/operation-request.ts';
import { OperationError } from '../../../platform/base/errors.ts';
import type { Interactions } from '../clients/pending-request.ts';
import { standingOfChain, type ChainDependencies } from '../saml/logout-chain.ts';
import { samlPaths } from '../saml/names.ts';
import type { Saml } from '../saml/open-saml.ts';

/** Above this number of frames, the portal waits for the longer of its two timeouts. */
export const mostQuickFrames = 3;

/** Sign-in of the portal itself, where the broker chooses the method (section 7.1 of the specification). */
export const samlLogin: Handler<'samlLogin', Pick<ChainDependencies, 'config'>> = async ({ config }, { query }) => {
  const url = buildUrl(config, brokerPages.login, { redirectUrl: query['redirectUrl'] });
  return { body: { url }, location: url };
};

export const samlLogout: Handler<'samlLogout', Pick<ChainDependencies, 'config'>> = async ({ config }) => ({
  body: { url: buildUrl(config, brokerPages.logout) },
});

function buildUrl(
  { baseUrl }: ChainDependencies['config'],
  path: string,
  query: Parameters<typeof href>[1] = {},
): string {
  return new URL(href(path, query), baseUrl).href;
}

/** A logout that another browser started gets the same answer as an unknown one. */
export const getSloResponse: Handler<
  'getSloResponse',
  Omit<ChainDependencies, 'providers' | 'credentials'> & { readonly saml: Saml }
> = async (parts, { query, cookies }) => {
  const dependencies = { ...parts, ...parts.saml };

  const processState = query['process_state'] ?? '';
  const logout = await standingOfChain(dependencies, processState, cookies.saml);
  if (logout === null) throw new OperationError(404, 'no_encontrado');
  const { frames, answers } = logout;
  const next = query['status'] === 'finish' ? href(samlPaths.logoutNext, { process_state: processState }) : null;
  return {
    body: {
      logout_requests: next === null ? [...frames] : [],
      wait_longer: frames.length > mostQuickFrames,
      logout_response: answers ? next : null,
      logout_redirect: next,
    },
  };
};

/** Returns no logout requests: the current session continues until the new sign-in has succeeded. */
export const getForcedLogoutRequests: Handler<'getForcedLogoutRequests', { interactions: Interactions }> = async (
  { interactions },
  { query },
) => {
  const processState = query['process_state'] ?? '';
  if ((await interactions.find(processState)) === null) throw new OperationError(404, 'no_encontrado');
  const login = href(pages.login, { process_state: processState });
  return { body: { logout_requests: [], wait_longer: false, logout_response: null, logout_redirect: login } };
};
