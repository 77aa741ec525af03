import type { JsonObject } from './json.ts';

/** Built-in widgets by their name in `ui:widget`, and the field types that each supports. */
export const builtInWidgets = {
  text: ['string'],
  email: ['string'],
  tel: ['string'],
  textarea: ['string'],
  date: ['string'],
  'date-time': ['string'],
  number: ['number', 'integer'],
  checkbox: ['boolean'],
  select: ['string', 'number', 'integer', 'boolean'],
  radio: ['string', 'number', 'integer', 'boolean'],
  checkboxes: ['array'],
  hidden: ['string', 'number', 'integer', 'boolean', 'array'],
} as const;

export type BuiltInWidget = keyof typeof builtInWidgets;

export function selectDefaultWidget(schema: JsonObject): BuiltInWidget {
  if (schema.type === 'array') return 'checkboxes';
  if (Array.isArray(schema.enum)) return 'select';
  if (schema.type === 'boolean') return 'checkbox';
  if (schema.type === 'number' || schema.type === 'integer') return 'number';
  if (schema.format === 'date-time' || schema.format === 'time') return 'date-time';
  return schema.format === 'date' ? 'date' : 'text';
}
