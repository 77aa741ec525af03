import { nullableTextSchema, textSchema } from '../schema-builders.ts';

/** States of a call. Section 4.2 of the specification defines those of an elevation. Only support calls can be `Reservado`, `Vencido` and `Atendido`. */
export const videoCallStates = [
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

/** Fields that state how to enter an open call: with the link of an external room, or in the portal's own room (`sala`). */
export const callEntrySchemaProperties = {
  link: nullableTextSchema,
  jwt: nullableTextSchema,
  sala: { type: 'boolean' },
  /** Time at which the room opens, in ISO 8601. `null` if it is already open or will not open. */
  abre: nullableTextSchema,
} as const;

export const videoCallSchemaProperties = {
  id: textSchema,
  estado: { enum: videoCallStates },
  /** YYYY-MM-DD. */
  fecha: textSchema,
  /** HH:mm:ss in official time. */
  hora_inicio: textSchema,
  minutos: { type: 'integer' },
} as const;
