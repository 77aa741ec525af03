/** Parts that schemas of answers and bodies share. */
export const text = { type: 'string' } as const;
export const optionalText = { type: ['string', 'null'] } as const;
/** Text of a body that may be left out. */
export const nullableText = { type: ['string', 'null'], maxLength: 2048 } as const;
export const named = {
  type: 'object',
  required: ['codigo', 'nombre'],
  properties: { codigo: text, nombre: text },
  additionalProperties: false,
} as const;
/** Neither a body nor an answer has anything to say. */
export const empty = { type: 'object', properties: {}, additionalProperties: false } as const;
