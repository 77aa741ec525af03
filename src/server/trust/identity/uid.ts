import { documentId } from '../../platform/base/document.ts';
import type { Citizen } from './citizens.ts';

/**
 * Returns the identifier of a person at applications: the `uid` claim and attribute, and the NameID of unspecified format. For an account it is its
 * document, e.g. `uy-ci-12345672` (section 3 of ID Uruguay's profile). For the record of a foreign provider it is the provider and the record's id,
 * e.g. `br:0b3f…`, because an account or another record may have the same document. No document contains a colon, so the two forms cannot collide.
 */
export function formatUid({
  id,
  idp,
  ...document
}: Pick<Citizen, 'id' | 'idp' | 'country' | 'type' | 'number'>): string {
  return idp === null ? documentId(document).toLowerCase() : `${idp}:${id}`;
}
