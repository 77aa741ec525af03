import type { JsonObject } from '../../core/json.ts';
import type { OwnWidget } from '../../core/widgets.ts';

/** The widget of a field without `ui:widget`. */
export function defaultWidget(schema: JsonObject): OwnWidget {
  if (schema.type === 'array') return 'checkboxes';
  if (Array.isArray(schema.enum)) return 'select';
  if (schema.type === 'boolean') return 'checkbox';
  if (schema.type === 'number' || schema.type === 'integer') return 'number';
  return schema.format === 'date' ? 'date' : 'text';
}
