import { callFields, callStates, extraFields, list, object, optionalText, orNull, text } from '../schema-builders.ts';

const agent = object({ id: text, nombre: text });
/** Values of the account and of the registry, field by field. */
const comparacion = list(object({ campo: text, cuenta: text, registro: optionalText, difiere: { type: 'boolean' } }));
const callListFields = {
  ...callFields,
  /** `support` or `elevation`. */
  tipo: text,
  nombre: text,
  documento: text,
  asunto: text,
  agente: orNull(agent),
  mia: { type: 'boolean' },
  /** Whether the call has passed without a decision. */
  atrasada: { type: 'boolean' },
  terminada: { type: 'boolean' },
  /** Whether the call concerns the agent's own account. */
  propia: { type: 'boolean' },
} as const;

export const responses = {
  desk: object({
    id: text,
    nombre: text,
    /** Actions of the resource `agentes`. */
    permisos: list(text),
    /** Whether another agent must verify each approval. */
    segundo_agente: { type: 'boolean' },
  }),
  deskNews: object({ numero: { type: 'integer' } }),
  deskDay: object({ fecha: text, llamadas: list(object(callListFields)) }),
  deskCall: object({
    ...callListFields,
    correo: text,
    telefono: text,
    mensaje: text,
    agregado: extraFields,
    /** URL of an external room. Empty if the room is not open or the call belongs to another agent. `null` for the portal's own room. */
    entrada: optionalText,
    decisiones: list(text),
    comparacion,
    /** Result of the registry lookup: `hallado`, `desconocido`, `inaccesible`, or `otro` for documents that are not in a registry. */
    registro: text,
    /** Checklist items by form field, as a JSON object. */
    control: text,
    anteriores: list(object({ ...callFields, tipo: text, motivo: text })),
  }),
  deskAccount: object({
    /** Search term: a document id, or the identifier of a person at a provider. */
    documento: text,
    cuenta: orNull(
      object({
        nombre: text,
        nivel: text,
        activa: { type: 'boolean' },
        bloqueada: { type: 'boolean' },
        restringida: { type: 'boolean' },
        propia: { type: 'boolean' },
        correo: text,
        correo_validado: { type: 'boolean' },
        ultimo_ingreso: optionalText,
        sesiones: { type: 'integer' },
        comparacion,
        registro: text,
        /** Actions that wait for a second agent. */
        esperan: list(object({ acto: text, agente: text, propio: { type: 'boolean' } })),
        actos: list(text),
      }),
    ),
    /** Records of users of foreign identity providers that match the search term. */
    registros: list(
      object({
        /** Key by which an action refers to the record: the provider, and the provider's identifier of the person. */
        quien: text,
        proveedor: text,
        identificador: text,
        pais: text,
        documento: text,
        nombre: text,
        bloqueada: { type: 'boolean' },
        /** Whether the record has the same document as the agent's account. */
        propia: { type: 'boolean' },
        ultimo_uso: text,
        sesiones: { type: 'integer' },
        actos: list(text),
      }),
    ),
  }),
  deskHours: object({
    agenda: text,
    minutos: { type: 'integer' },
    /** The hours of the week, one interval per line. */
    horario: text,
    fechas: list(object({ fecha: text, horario: text, nota: text })),
  }),
  deskHoursKept: object({
    guardado: { type: 'boolean' },
    /** Bookings outside the requested hours, and bookings that were moved. */
    reservas: list(object({ ...callFields, nombre: text })),
    /** The bookings as a sentence. Empty if there are none. */
    lista: text,
  }),
  deskMessages: object({
    /** Number of unanswered messages. */
    esperan: { type: 'integer' },
    mensajes: list(
      object({
        id: text,
        momento: text,
        nombre: text,
        documento: text,
        correo: text,
        telefono: text,
        asunto: text,
        mensaje: text,
        agregado: extraFields,
        /** Promised date of the answer (`YYYY-MM-DD`). `atrasado`: whether this date has passed. */
        plazo: text,
        atrasado: { type: 'boolean' },
        respuesta: orNull(object({ momento: text, agente: text, texto: text })),
      }),
    ),
    opiniones: list(
      object({
        id: text,
        momento: text,
        pagina: optionalText,
        util: optionalText,
        comentario: text,
        leida: { type: 'boolean' },
      }),
    ),
  }),
  figures: object({
    semanas: list(
      object({
        /** Date of the week's Monday. */
        semana: text,
        llamadas: { type: 'integer' },
        ausentes: { type: 'integer' },
        /** Average minutes between the citizen's entry and the decision. `null` if no citizen waited. */
        espera: { type: ['integer', 'null'] },
        estados: list(object({ estado: text, cantidad: { type: 'integer' } })),
      }),
    ),
  }),
  deskAct: object(
    { hecho: { type: 'boolean' } },
    { /** Whether the action waits for a second agent. */ espera: { type: 'boolean' } },
  ),
  deskDecision: object({ estado: { enum: callStates } }),
  colleagues: list(agent),
} as const;

export const requestBodies = {
  deskDate: object({ agenda: text, fecha: text }, { mover: { type: 'boolean' } }),
} as const;
