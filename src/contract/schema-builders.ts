export const text = { type: 'string' } as const;
export const optionalText = { type: ['string', 'null'] } as const;
/** Schema of an optional text in a body. */
export const nullableText = { type: ['string', 'null'], maxLength: 2048 } as const;
/* @__NO_SIDE_EFFECTS__ */
export function object<const Required extends object, const Optional extends object = Readonly<Record<never, never>>>(
  required: Required,
  optional?: Optional,
) {
  return {
    type: 'object',
    required: Object.keys(required) as (keyof Required & string)[],
    properties: { ...required, ...optional } as Simplify<Required & Optional>,
    additionalProperties: false,
  } as const;
}

/* @__NO_SIDE_EFFECTS__ */
export function list<const Items extends object>(items: Items) {
  return { type: 'array', items } as const;
}

/* @__NO_SIDE_EFFECTS__ */
export function orNull<const Value extends object>(value: Value) {
  return { anyOf: [value, { type: 'null' }] } as const;
}

type Simplify<Type> = { readonly [Key in keyof Type]: Type[Key] };

export const codeAndName = object({ codigo: text, nombre: text });
export const empty = object({});
export const extraFields = list(object({ campo: text, titulo: text, valor: text }));
/** Fields that state how to enter an open call: with the link of an external room, or in the portal's own room (`sala`). */
export const callEntryFields = {
  link: optionalText,
  jwt: optionalText,
  sala: { type: 'boolean' },
  /** Time at which the room opens, in ISO 8601. `null` if it is already open or will not open. */
  abre: optionalText,
} as const;
/** States of a call. Section 4.2 of the specification defines those of an elevation. Only support calls can be `Reservado`, `Vencido` and `Atendido`. */
export const callStates = [
  'Reservado',
  'Agendado',
  'Pendiente agente',
  'Pendiente verificación',
  'Pendiente usuario',
  'Rechazado agente',
  'Rechazado verificación',
  'Error',
  'Exitoso',
  'Atendido',
  'Cancelado',
  'Vencido',
] as const;
export const callFields = {
  id: text,
  estado: { enum: callStates },
  /** YYYY-MM-DD. */
  fecha: text,
  /** HH:mm:ss in official time. */
  hora_inicio: text,
  minutos: { type: 'integer' },
} as const;
