import type { Handlers } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { TextOf } from '../../platform/base/texts.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Applications } from '../../trust/federation/saml/applications.ts';
import type { Oidc } from '../../trust/federation/oidc/open-oidc.ts';
import type { TellEnds } from '../../trust/sessions/session-ends.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { closeAccount } from './close-account.ts';
import { disavow } from './disavow.ts';
import { endOtherSessions } from './end-other-sessions.ts';
import { endSessionOf } from './end-session-of.ts';
import { exportData } from './export-data.ts';
import { getActions } from './get-actions.ts';
import { getCitizen } from './get-citizen.ts';
import { getClosure } from './get-closure.ts';
import { getForeignCitizen } from './get-foreign-citizen.ts';
import { keepAccount } from './keep-account.ts';
import { getLinkedProviders, unlinkProvider } from './linked-providers.ts';
import { getSessions } from './list-sessions.ts';

interface Needs {
  readonly commands: Commands;
  readonly store: Store;
  readonly clock: Clock;
  readonly config: Config;
  readonly oidc: Oidc;
  readonly tellEnds: TellEnds;
  readonly applications: Applications;
  readonly texts: TextOf;
  readonly vault: Vault;
}

export function accountHandlers(needs: Needs) {
  return {
    getCitizen: getCitizen(needs),
    getForeignCitizen: getForeignCitizen(needs),
    getSessions: getSessions(needs),
    endSession: endSessionOf(needs),
    endOtherSessions: endOtherSessions(needs),
    getActions: getActions(needs),
    exportData: exportData(needs),
    getClosure: getClosure(needs),
    closeAccount: closeAccount(needs),
    keepAccount: keepAccount(needs),
    disavow: disavow(needs),
    getLinkedProviders: getLinkedProviders(needs),
    unlinkProvider: unlinkProvider(needs),
  } satisfies Partial<Handlers>;
}
