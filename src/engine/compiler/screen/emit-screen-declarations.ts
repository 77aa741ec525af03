import { splitFieldName } from '../../core/field-path.ts';
import { groupBy, type Json, type JsonObject } from '../../core/json.ts';
import type { FieldSpec, CompiledScreen } from '../../core/compiled-screen.ts';

export function emitScreenDeclarations({ fields, decidedBy = {} }: CompiledScreen): string {
  const sent = describeObject(fields.filter(({ name }) => !Object.hasOwn(decidedBy, name)));
  return `import type { FormValues, ScreenModule } from 'portal-engine';
export type Sent = FormValues<${JSON.stringify(sent)}>;
export declare const screen: ScreenModule<Sent>['screen'];
export declare const validators: ScreenModule['validators'];
`;
}

/** Returns a JSON Schema for the values of fields. Unlike in schema.json, a field that a rule may hide is not required. */
function describeObject(fields: readonly FieldSpec[], depth = 0): JsonObject {
  const byStep = groupBy(fields, ({ name }) => splitFieldName(name)[depth] ?? '');
  const steps = [...byStep.keys()];
  if (steps.length > 0 && steps.every((step) => /^\d+$/.test(step))) return { type: 'array' }; // fields named by index: an array with fixed items
  const isSent = (step: string) => byStep.get(step)?.some(({ required, visible }) => required && visible === undefined);
  const properties = [...byStep].map(([step, own]): [string, Json] => {
    const [field] = own;
    const isField = field && splitFieldName(field.name).length === depth + 1;
    return [step, isField ? describeValue(field) : describeObject(own, depth + 1)];
  });
  const required = steps.filter(isSent);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

function describeValue({ schema, item }: FieldSpec): JsonObject {
  if (!item) return pickTypes(schema);
  const [only] = item;
  return { type: 'array', items: only?.name === '' ? describeValue(only) : describeObject(item) };
}

function pickTypes({ type, enum: choices, const: only, items }: JsonObject): JsonObject {
  return {
    ...(type !== undefined && { type }),
    ...(choices !== undefined && { enum: choices }),
    ...(only !== undefined && { const: only }),
    ...(items !== undefined && { items: pickTypes(items as JsonObject) }), // cast: the items of a list are a schema
  };
}
