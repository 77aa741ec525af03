import type { Clock } from '../../../platform/base/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Origin } from '../../../platform/base/origin.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { randomSecret } from '../../../platform/keys/secrets.ts';
import { endSession, type EndSessionNeeds, type SessionToEnd } from '../oidc/end-session.ts';
import { frameLogouts } from './framed-logout.ts';
import { beginChain, logoutPage, type ChainNeeds, type LogoutEnd } from '../saml/logout-chain.ts';
import type { Saml } from '../saml/open-saml.ts';

/** What the end of a session over both protocols works with. */
export interface LogOutNeeds extends EndSessionNeeds {
  readonly clock: Clock;
  readonly store: Store;
  readonly config: ChainNeeds['config'] & Pick<Config, 'flags'>;
  readonly saml: Saml;
}

/** How a logout goes on. */
export interface LogOut {
  /** Addresses that tell applications in hidden frames. */
  readonly frames: readonly string[];
  /** Names of the applications that did not hear of it. */
  readonly unreachable: readonly string[];
  /** The page that leads through service providers of SAML, and the cookie that binds it to its browser; null: there are none. */
  readonly through: { readonly path: string; readonly browser: string } | null;
}

/**
 * Ends a session of ours first, so that nobody is signed in here whatever others do; tells the applications of OpenID Connect; and leaves a way
 * through the service providers of SAML, which hear of it in the citizen's browser alone.
 */
export async function logOut(
  needs: LogOutNeeds,
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
    /** The service provider that asked for it, which knows. */
    but?: string | null;
  },
): Promise<LogOut> {
  const { frames: addresses, unreachable, participants } = await endSession(needs, which, origin);
  const told = participants.filter(({ provider }) => provider !== but);
  if (told.length === 0) return { frames: addresses, unreachable, through: null };
  const chain = { ...needs, ...needs.saml };
  const { frames, framed, others } = needs.config.flags.slo_saml
    ? { frames: [], framed: [], others: told }
    : await frameLogouts(chain, told);
  const begun = { end, participants: others, frames: [...addresses, ...frames], failed: framed, browser };
  const processState = await beginChain(chain, begun);
  return { frames: addresses, unreachable, through: { path: logoutPage(processState), browser } };
}
