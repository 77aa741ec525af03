import type { OperationName } from '../../contract/contract.ts';
import type { PortalConfig } from '../../contract/portal-config.ts';
import { pages } from '../../contract/pages.ts';
import type { Store } from '../../domain/root-store.ts';
import type { TextKey } from '../texts.ts';
import { waysUp } from './ways-up.ts';

type User = NonNullable<Store['user']>;

export interface ToDo {
  readonly title: TextKey;
  readonly text: TextKey;
  readonly action: TextKey;
  readonly to: string;
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

/** Returns the pending steps of an account, most urgent first. Omits the second factor until its status has loaded. */
export function toDo(store: Store, user: User, config: PortalConfig): readonly ToDo[] {
  const raise = user.level === 'basic' && !user.raisesByCall ? raising(store, user, config) : undefined;
  return [...(store.mfa !== null && !store.mfa.estado.activado ? [secondFactor] : []), ...(raise ? [raise] : [])];
}

function raising(store: Store, user: User, config: PortalConfig): ToDo | undefined {
  const ways = waysUp(store, user, config);
  return [...(ways.call ? [byCall] : []), ...(ways.signature ? [bySignature] : [])].find(
    ({ operation }) => store.refusalOfOperation(operation, config.flags) === null,
  );
}
