/** One setting: `parse` throws an Error whose message completes the sentence 'NAME must be …'. */
export interface Setting<Value> {
  readonly default: string;
  readonly parse: (text: string) => Value;
  readonly description: string;
  readonly secret?: true;
}

export function setting<Value>(
  defaultText: string,
  parse: (text: string) => Value,
  description: string,
  secret?: 'secret',
): Setting<Value> {
  return { default: defaultText, parse, description, ...(secret ? { secret: true as const } : {}) };
}
