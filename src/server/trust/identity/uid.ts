import { documentId } from '../../platform/base/document.ts';
import type { Citizen } from './citizens.ts';

/**
 * The name of a person at applications: the `uid` claim and attribute, and the NameID without a format. An account is known by its document, e.g.
 * `uy-ci-12345672` (section 3 of ID Uruguay's profile). The record of a foreign provider is known by the provider and its own id, e.g. `br:0b3f…`: its
 * document may be that of an account, or of another record. The colon stands in no document.
 */
export function uidOf({ id, idp, ...document }: Pick<Citizen, 'id' | 'idp' | 'country' | 'type' | 'number'>): string {
  return idp === null ? documentId(document).toLowerCase() : `${idp}:${id}`;
}
