export const textSchema = { type: 'string' } as const;
export const nullableTextSchema = { type: ['string', 'null'] } as const;
/** Schema of a text or `null` in a request. Unlike `nullableTextSchema`, it limits the length. */
export const nullableInputTextSchema = { type: ['string', 'null'], maxLength: 2048 } as const;
/* @__NO_SIDE_EFFECTS__ */
export function objectSchema<
  const Required extends object,
  const Optional extends object = Readonly<Record<never, never>>,
>(required: Required, optional?: Optional) {
  return {
    type: 'object',
    required: Object.keys(required) as (keyof Required & string)[],
    properties: { ...required, ...optional } as Simplify<Required & Optional>,
    additionalProperties: false,
  } as const;
}

/* @__NO_SIDE_EFFECTS__ */
export function listSchema<const Items extends object>(items: Items) {
  return { type: 'array', items } as const;
}

/* @__NO_SIDE_EFFECTS__ */
export function nullableSchema<const Value extends object>(value: Value) {
  return { anyOf: [value, { type: 'null' }] } as const;
}

type Simplify<Type> = { readonly [Key in keyof Type]: Type[Key] };

export const codeAndNameSchema = objectSchema({ codigo: textSchema, nombre: textSchema });
export const emptyObjectSchema = objectSchema({});
export const extraFieldsSchema = listSchema(objectSchema({ campo: textSchema, titulo: textSchema, valor: textSchema }));
