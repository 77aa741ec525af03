import type { OperationAnswer } from '../contract/contract.ts';

/** Returns the text key of an identity provider's security level (section 4.1 of the specification). */
export function classifyProviderLevel({
  nivel_seguridad: level,
}: Pick<OperationAnswer<'getIdentityProviders'>['idps'][number], 'nivel_seguridad'>):
  'advanced' | 'basicOrIntermediate' {
  return level === 'avanzado' ? 'advanced' : 'basicOrIntermediate';
}
