import { hashSecret } from '../../platform/keys/secrets.ts';
import type { CodeBinding } from './mailed-codes.ts';

/**
 * Binds the code that sets up a second factor to this factor and, if `uuid` is the token of a change of address, to this change. A code that was
 * mailed to one new address does not prove another.
 */
export function setUpBinding(factor: string, uuid: string | null): CodeBinding {
  return { purpose: 'set-up', owner: uuid === null ? factor : `${factor} ${hashSecret(uuid)}` };
}
