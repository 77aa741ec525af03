import type { Answer } from '../contract/contract.ts';

/** Returns the security level of an identity provider for display (section 4.1 of the specification), as a text key. */
export function classifyProviderLevel({
  nivel_seguridad: level,
}: Pick<Answer<'getIdentityProviders'>['idps'][number], 'nivel_seguridad'>): 'advanced' | 'basicOrIntermediate' {
  return level === 'avanzado' ? 'advanced' : 'basicOrIntermediate';
}
