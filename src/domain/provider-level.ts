/** Returns the text key of an identity provider's security level (section 4.1). */
export function classifyProviderLevel(level: string): 'advanced' | 'basicOrIntermediate' {
  return level === 'avanzado' ? 'advanced' : 'basicOrIntermediate';
}
