import {
  extraFieldsSchema,
  listSchema,
  objectSchema,
  nullableTextSchema,
  nullableSchema,
  textSchema,
} from '../schema-builders.ts';
import { videoCallSchemaProperties, videoCallStates } from './video-call-schemas.ts';

const agent = objectSchema({ id: textSchema, nombre: textSchema });
/** Comparison of the account with the identity registry, one entry per field. */
const comparacion = listSchema(
  objectSchema({ campo: textSchema, cuenta: textSchema, registro: nullableTextSchema, difiere: { type: 'boolean' } }),
);
const callListFields = {
  ...videoCallSchemaProperties,
  /** `support` or `elevation`. */
  tipo: textSchema,
  nombre: textSchema,
  documento: textSchema,
  asunto: textSchema,
  agente: nullableSchema(agent),
  mia: { type: 'boolean' },
  /** Whether the call has passed without a decision. */
  atrasada: { type: 'boolean' },
  terminada: { type: 'boolean' },
  /** Whether the call concerns the agent's own account. */
  propia: { type: 'boolean' },
} as const;

export const responseSchemas = {
  desk: objectSchema({
    id: textSchema,
    nombre: textSchema,
    /** Permissions of the agent: actions of the resource `agentes`. */
    permisos: listSchema(textSchema),
    /** Whether another agent must verify each approval. */
    segundo_agente: { type: 'boolean' },
  }),
  deskNews: objectSchema({ numero: { type: 'integer' } }),
  deskDay: objectSchema({ fecha: textSchema, llamadas: listSchema(objectSchema(callListFields)) }),
  deskCall: objectSchema({
    ...callListFields,
    correo: textSchema,
    telefono: textSchema,
    mensaje: textSchema,
    agregado: extraFieldsSchema,
    /** URL of an external room. Empty if the room is not open or the call belongs to another agent. `null` for the portal's own room. */
    entrada: nullableTextSchema,
    decisiones: listSchema(textSchema),
    comparacion,
    /** Result of the registry lookup: `hallado`, `desconocido`, `inaccesible`, or `otro` for documents that are not in a registry. */
    registro: textSchema,
    /** Checklist items by form field, as a JSON object. */
    control: textSchema,
    anteriores: listSchema(objectSchema({ ...videoCallSchemaProperties, tipo: textSchema, motivo: textSchema })),
  }),
  deskAccount: objectSchema({
    /** Search term: a document id, or the identifier of a person at a provider. */
    documento: textSchema,
    cuenta: nullableSchema(
      objectSchema({
        nombre: textSchema,
        nivel: textSchema,
        activa: { type: 'boolean' },
        bloqueada: { type: 'boolean' },
        restringida: { type: 'boolean' },
        propia: { type: 'boolean' },
        correo: textSchema,
        correo_validado: { type: 'boolean' },
        ultimo_ingreso: nullableTextSchema,
        sesiones: { type: 'integer' },
        comparacion,
        registro: textSchema,
        /** Actions that wait for a second agent. */
        esperan: listSchema(objectSchema({ acto: textSchema, agente: textSchema, propio: { type: 'boolean' } })),
        actos: listSchema(textSchema),
      }),
    ),
    /** Records of users of foreign identity providers that match the search term. */
    registros: listSchema(
      objectSchema({
        /** Key by which an action refers to the record: the provider, and the provider's identifier of the person. */
        quien: textSchema,
        proveedor: textSchema,
        identificador: textSchema,
        pais: textSchema,
        documento: textSchema,
        nombre: textSchema,
        bloqueada: { type: 'boolean' },
        /** Whether the record has the same document as the agent's account. */
        propia: { type: 'boolean' },
        ultimo_uso: textSchema,
        sesiones: { type: 'integer' },
        actos: listSchema(textSchema),
      }),
    ),
  }),
  deskHours: objectSchema({
    agenda: textSchema,
    minutos: { type: 'integer' },
    /** The hours of the week, one interval per line. */
    horario: textSchema,
    fechas: listSchema(objectSchema({ fecha: textSchema, horario: textSchema, nota: textSchema })),
  }),
  deskHoursKept: objectSchema({
    guardado: { type: 'boolean' },
    /** Bookings outside the requested hours, and bookings that were moved. */
    reservas: listSchema(objectSchema({ ...videoCallSchemaProperties, nombre: textSchema })),
    /** The bookings in `reservas`, as a sentence. Empty if there are none. */
    lista: textSchema,
  }),
  deskMessages: objectSchema({
    /** Number of unanswered messages. */
    esperan: { type: 'integer' },
    mensajes: listSchema(
      objectSchema({
        id: textSchema,
        momento: textSchema,
        nombre: textSchema,
        documento: textSchema,
        correo: textSchema,
        telefono: textSchema,
        asunto: textSchema,
        mensaje: textSchema,
        agregado: extraFieldsSchema,
        /** Promised date of the answer (`YYYY-MM-DD`). `atrasado`: whether this date has passed. */
        plazo: textSchema,
        atrasado: { type: 'boolean' },
        respuesta: nullableSchema(objectSchema({ momento: textSchema, agente: textSchema, texto: textSchema })),
      }),
    ),
    opiniones: listSchema(
      objectSchema({
        id: textSchema,
        momento: textSchema,
        pagina: nullableTextSchema,
        util: nullableTextSchema,
        comentario: textSchema,
        leida: { type: 'boolean' },
      }),
    ),
  }),
  figures: objectSchema({
    semanas: listSchema(
      objectSchema({
        /** Date of the week's Monday. */
        semana: textSchema,
        llamadas: { type: 'integer' },
        ausentes: { type: 'integer' },
        /** Average minutes between the citizen's entry and the decision. `null` if no citizen waited. */
        espera: { type: ['integer', 'null'] },
        estados: listSchema(objectSchema({ estado: textSchema, cantidad: { type: 'integer' } })),
      }),
    ),
  }),
  deskAct: objectSchema(
    { hecho: { type: 'boolean' } },
    { /** Whether the action waits for a second agent. */ espera: { type: 'boolean' } },
  ),
  deskDecision: objectSchema({ estado: { enum: videoCallStates } }),
  colleagues: listSchema(agent),
} as const;

export const requestBodySchemas = {
  deskDate: objectSchema({ agenda: textSchema, fecha: textSchema }, { mover: { type: 'boolean' } }),
} as const;
