import type { OperationName } from '../../contract/contract.ts';
import type { PortalConfig } from '../../contract/portal-config.ts';
import { pages } from '../../contract/pages.ts';
import type { Store } from '../../domain/root-store.ts';
import type { TextKey } from '../texts.ts';
import { waysUp } from './ways-up.ts';

type User = NonNullable<Store['user']>;

/** Something that makes the account safer or lets it do more: its title and reason, and the page where it is done. */
export interface ToDo {
  readonly title: TextKey;
  readonly text: TextKey;
  readonly action: TextKey;
  readonly to: string;
  /** It raises the level. */
  readonly raises?: true;
  readonly operation: OperationName;
}

const secondFactor: ToDo = {
  title: 'seguridad.first.mfa',
  text: 'seguridad.first.mfa.text',
  action: 'seguridad.first.mfa.action',
  to: pages.secondFactor,
  operation: 'createTotp',
};
const level = { title: 'seguridad.first.level', text: 'seguridad.first.level.text', raises: true } as const;
const byCall: ToDo = {
  ...level,
  action: 'seguridad.first.level.byCall',
  to: pages.elevation,
  operation: 'bookElevation',
};
const bySignature: ToDo = {
  ...level,
  action: 'seguridad.first.level.bySignature',
  to: pages.signature,
  operation: 'requestSignature',
};

/** What is still to be done on an account and can be done here, the most urgent first. Says nothing of second factors before they are loaded. */
export function toDo(store: Store, user: User, config: PortalConfig): readonly ToDo[] {
  const raise = user.level === 'basic' && !user.raisesByCall ? raising(store, user, config) : undefined;
  return [...(store.mfa !== null && !store.mfa.estado.activado ? [secondFactor] : []), ...(raise ? [raise] : [])];
}

/** The easiest way up that is open to this citizen. */
function raising(store: Store, user: User, config: PortalConfig): ToDo | undefined {
  const ways = waysUp(store, user, config);
  return [...(ways.call ? [byCall] : []), ...(ways.signature ? [bySignature] : [])].find(
    ({ operation }) => store.refusalOfOperation(operation, config.flags) === null,
  );
}
