import type { Permisos } from '../../../contract/access.ts';
import { constants } from '../../../contract/constants.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Citizen } from './citizens.ts';

/**
 * Returns a citizen's permissions: those that the configuration gives to every holder of a national document, overridden per resource by those that
 * an operator granted. An override may also be empty.
 */
export function resolvePermissions(
  { citizenPermissions }: Pick<Config, 'citizenPermissions'>,
  { country, permissions }: Pick<Citizen, 'country' | 'permissions'>,
): Permisos {
  return country === constants.defaultCountry ? { ...citizenPermissions, ...permissions } : permissions;
}
