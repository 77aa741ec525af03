import type { Permisos } from '../../../contract/access.ts';
import { constants } from '../../../contract/constants.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Citizen } from './citizens.ts';

/**
 * What a citizen may do: what every holder of a national document may by configuration, and what an operator granted. An operator's word on a
 * resource stands, also where it leaves no action.
 */
export function permissionsOf(
  { citizenPermissions }: Pick<Config, 'citizenPermissions'>,
  { country, permissions }: Pick<Citizen, 'country' | 'permissions'>,
): Permisos {
  return country === constants.defaultCountry ? { ...citizenPermissions, ...permissions } : permissions;
}
