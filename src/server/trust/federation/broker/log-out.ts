import type { Clock } from '../../../platform/base/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Origin } from '../../../platform/base/origin.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { randomSecret } from '../../../platform/keys/secrets.ts';
import { endSession, type EndSessionDependencies, type SessionToEnd } from '../oidc/end-session.ts';
import { frameLogouts } from './framed-logout.ts';
import { beginChain, logoutPage, type ChainDependencies, type LogoutEnd } from '../saml/logout-chain.ts';
import type { Saml } from '../saml/open-saml.ts';

export interface LogOutDependencies extends EndSessionDependencies {
  readonly clock: Clock;
  readonly store: Store;
  readonly config: ChainDependencies['config'] & Pick<Config, 'flags'>;
  readonly saml: Saml;
}

export interface LogOut {
  /** Front-channel logout URLs of OpenID Connect clients, to be loaded in hidden frames. */
  readonly frames: readonly string[];
  /** Names of the applications that back-channel logout did not reach. */
  readonly unreachable: readonly string[];
  /** Page that continues the logout at the SAML service providers, and the cookie value that binds it to this browser. `null` if there are none. */
  readonly through: { readonly path: string; readonly browser: string } | null;
}

/**
 * Ends our session first, so that the citizen is signed out here even if an application fails. Then notifies the OpenID Connect clients. SAML service
 * providers can only be notified through the browser, which continues at `through`.
 */
export async function logOut(
  dependencies: LogOutDependencies,
  {
    which,
    origin,
    end,
    browser = randomSecret(),
    but = null,
  }: {
    which: SessionToEnd;
    origin: Origin;
    end: LogoutEnd;
    browser?: string | undefined;
    /** The service provider that requested the logout, which is not notified again. */
    but?: string | null;
  },
): Promise<LogOut> {
  const { frames: addresses, unreachable, participants } = await endSession(dependencies, which, origin);
  const told = participants.filter(({ provider }) => provider !== but);
  if (told.length === 0) return { frames: addresses, unreachable, through: null };
  const chain = { ...dependencies, ...dependencies.saml };
  const { frames, framed, others } = dependencies.config.flags.slo_saml
    ? { frames: [], framed: [], others: told }
    : await frameLogouts(chain, told);
  const begun = { end, participants: others, frames: [...addresses, ...frames], failed: framed, browser };
  const processState = await beginChain(chain, begun);
  return { frames: addresses, unreachable, through: { path: logoutPage(processState), browser } };
}
