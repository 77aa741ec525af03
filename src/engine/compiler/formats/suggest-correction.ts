import type { ErrorObject } from 'ajv/dist/2020.js';
import typeAliases from '../sources/type-aliases.json' with { type: 'json' };
import { localize, type LocalizedText } from '../sources/localized-text.ts';

const typesByAlias = new Map(
  Object.entries(typeAliases).flatMap(([write, names]) => names.map((name) => [name, write])),
);

const writingHints: Readonly<Record<string, LocalizedText>> = {
  string: localize`Write a text in quotes.`,
  integer: localize`Write a whole number without quotes.`,
  number: localize`Write a number without quotes.`,
  boolean: localize`Write true or false without quotes.`,
  array: localize`Write a list: [ … ].`,
  object: localize`Write an object: { … }.`,
};

export function suggestValueForError(error: ErrorObject): LocalizedText | undefined {
  const { keyword, params, data, instancePath, parentSchema } = error;
  if (keyword === 'enum' && instancePath.endsWith('/type') && typeof data === 'string') {
    const write = typesByAlias.get(data.toLowerCase());
    return write === undefined ? undefined : localize`Write ${write}.`;
  }
  const [, day, month, year] =
    keyword === 'format' ? (/^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(String(data)) ?? []) : [];
  if (day && month && year)
    return localize`Write ${JSON.stringify(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)}.`;
  if (isMissingLeadingSlashError(error))
    return instancePath.endsWith('/path')
      ? localize`An address begins with a slash: write "/${String(data).trim()}".`
      : localize`Write the path of the field from the top of the form: "/${String(data).trim()}".`;
  if (keyword !== 'type') return undefined;
  const wanted = [params.type].flat().map(String);
  const required: unknown = wanted[0] === 'object' ? parentSchema?.['required'] : undefined;
  return Array.isArray(required)
    ? localize`Write an object: { ${required.map((key) => `"${String(key)}": …`).join(', ')} }.`
    : suggestValueOfType(data, wanted);
}

export function suggestValueOfType(value: unknown, types: readonly string[]): LocalizedText | undefined {
  const isMeant = typeof value === 'string' && types.some((type) => isWrittenAs(value.trim(), type));
  if (isMeant) return localize`Write it without quotes: ${value.trim()}.`;
  if (types[0] === 'array' && typeof value === 'string') return localize`Write a list: ${JSON.stringify([value])}.`;
  if (types[0] === 'string' && typeof value === 'number') return localize`Write it in quotes: "${value}".`;
  return writingHints[types[0] ?? ''];
}

export function isMissingLeadingSlashError({ keyword, params, instancePath, data }: ErrorObject): boolean {
  return (
    keyword === 'pattern' && (instancePath.endsWith('/path') || params.pattern === '^/') && typeof data === 'string'
  );
}

function isWrittenAs(text: string, type: string): boolean {
  if (type === 'boolean') return text === 'true' || text === 'false';
  return type === 'integer' ? /^-?\d+$/.test(text) : type === 'number' && /^-?\d+(\.\d+)?$/.test(text);
}

export function suggestNumberWithinLimit({ keyword, params }: ErrorObject): LocalizedText | undefined {
  const limit = String(params['limit']);
  if (keyword === 'maximum' || keyword === 'maxItems') return localize`Write ${limit} or less.`;
  if (keyword === 'exclusiveMaximum') return localize`Write less than ${limit}.`;
  if (keyword === 'exclusiveMinimum') return localize`Write more than ${limit}.`;
  return keyword === 'minimum' || keyword === 'minItems' ? localize`Write ${limit} or more.` : undefined;
}
