/** Returns the text key of an identity provider's security level (section 4.1 of the specification). */
export function selectProviderLevelTextKey(level: string): 'advanced' | 'basicOrIntermediate' {
  return level === 'avanzado' ? 'advanced' : 'basicOrIntermediate';
}
