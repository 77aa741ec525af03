import type { Answer } from '../contract/contract.ts';

/** The level of an identity provider as it is shown (section 4.1 of the specification), as a key of texts. */
export function providerLevel({
  nivel_seguridad: level,
}: Pick<Answer<'getIdentityProviders'>['idps'][number], 'nivel_seguridad'>): 'advanced' | 'basicOrIntermediate' {
  return level === 'avanzado' ? 'advanced' : 'basicOrIntermediate';
}
