import type { JsonObject } from './json.ts';

/** The widgets that the engine brings itself, by their name in `ui:widget`, and the types of fields whose values each can hold. */
export const ownWidgets = {
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

/** The name of one of them. */
export type OwnWidget = keyof typeof ownWidgets;

/** The widget of a field without `ui:widget`. */
export function defaultWidget(schema: JsonObject): OwnWidget {
  if (schema.type === 'array') return 'checkboxes';
  if (Array.isArray(schema.enum)) return 'select';
  if (schema.type === 'boolean') return 'checkbox';
  if (schema.type === 'number' || schema.type === 'integer') return 'number';
  if (schema.format === 'date-time' || schema.format === 'time') return 'date-time';
  return schema.format === 'date' ? 'date' : 'text';
}
