/** Parts that schemas of answers and bodies share. */
export const text = { type: 'string' } as const;
export const optionalText = { type: ['string', 'null'] } as const;
/** Text of a body that may be left out. */
export const nullableText = { type: ['string', 'null'], maxLength: 2048 } as const;
/** An object of these properties and no others: the first ones are always there. */
/* @__NO_SIDE_EFFECTS__ */
export function object<const Required extends object, const Optional extends object = Readonly<Record<never, never>>>(
  required: Required,
  optional?: Optional,
) {
  return {
    type: 'object',
    required: Object.keys(required) as (keyof Required & string)[],
    properties: { ...required, ...optional } as Flat<Required & Optional>,
    additionalProperties: false,
  } as const;
}

/** A list of such items. */
/* @__NO_SIDE_EFFECTS__ */
export function list<const Items extends object>(items: Items) {
  return { type: 'array', items } as const;
}

/** Such a value, or null. */
/* @__NO_SIDE_EFFECTS__ */
export function orNull<const Value extends object>(value: Value) {
  return { anyOf: [value, { type: 'null' }] } as const;
}

type Flat<Type> = { readonly [Key in keyof Type]: Type[Key] };

export const named = object({ codigo: text, nombre: text });
/** Neither a body nor an answer has anything to say. */
export const empty = object({});
/** What analysts ask beyond the fields that the contract names, each as its screen titled it. */
export const extraFields = list(object({ campo: text, titulo: text, valor: text }));
/** Where a call is entered, once it can be: by a link, or in the portal's own room. */
export const entryParts = {
  link: optionalText,
  jwt: optionalText,
  sala: { type: 'boolean' },
  /** When it opens by itself, in ISO 8601; null: it is open, or does not. */
  abre: optionalText,
} as const;
/** A call by video, as answers tell it. */
export const callParts = {
  id: text,
  /** A state of section 4.2 of the specification, or of a reservation. */
  estado: text,
  /** YYYY-MM-DD. */
  fecha: text,
  /** HH:mm:ss, in official time. */
  hora_inicio: text,
  /** How long it takes. */
  minutos: { type: 'integer' },
} as const;
