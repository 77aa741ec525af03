import { hashSecret } from '../../platform/keys/secrets.ts';
import type { CodeBinding } from './mailed-codes.ts';

/**
 * What the code that sets a second factor up is good for: that factor and, with the uuid of a change of address, that very change.
 * A code that was mailed to one new address proves no other.
 */
export function setUpBinding(factor: string, uuid: string | null): CodeBinding {
  return { purpose: 'set-up', owner: uuid === null ? factor : `${factor} ${hashSecret(uuid)}` };
}
