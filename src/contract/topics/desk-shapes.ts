import { callParts, extraFields, list, object, optionalText, orNull, text } from '../shapes.ts';

const agent = object({ id: text, nombre: text });
const comparacion = list(object({ campo: text, cuenta: text, registro: optionalText, difiere: { type: 'boolean' } }));
const listed = {
  ...callParts,
  /** `support` or `elevation`. */
  tipo: text,
  nombre: text,
  documento: text,
  asunto: text,
  agente: orNull(agent),
  mia: { type: 'boolean' },
  /** Its time has come, and nobody has decided. */
  atrasada: { type: 'boolean' },
  terminada: { type: 'boolean' },
  /** It is about the agent's own account. */
  propia: { type: 'boolean' },
} as const;

/** Answers of the desk's calls. */
export const answers = {
  desk: object({
    id: text,
    nombre: text,
    /** Actions of the resource `agentes`. */
    permisos: list(text),
    /** Whether another agent verifies each approval. */
    segundo_agente: { type: 'boolean' },
  }),
  deskNews: object({ numero: { type: 'integer' } }),
  deskDay: object({ fecha: text, llamadas: list(object(listed)) }),
  deskCall: object({
    ...listed,
    correo: text,
    telefono: text,
    mensaje: text,
    agregado: extraFields,
    /** The address of an outside room; empty: not open, or not the agent's; null: the call takes place in the portal's own. */
    entrada: optionalText,
    /** What can be decided now, by the names of the form. */
    decisiones: list(text),
    /** The account's record beside the registry's, field by field. */
    comparacion,
    /** `hallado`, `desconocido`, `inaccesible`, or `otro` for documents of which no registry is asked. */
    registro: text,
    /** What was checked, by the fields of the form; a JSON object. */
    control: text,
    anteriores: list(object({ ...callParts, tipo: text, motivo: text })),
  }),
  deskAccount: object({
    /** What was looked for: a document's id, or whom a provider means. */
    documento: text,
    /** Null: nobody has that document. */
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
        /** What waits for another agent to do the same. */
        esperan: list(object({ acto: text, agente: text, propio: { type: 'boolean' } })),
        /** What can be done now, by the names of the form. */
        actos: list(text),
      }),
    ),
    /** Of foreign providers. */
    registros: list(
      object({
        /** By what an act names the record: the provider's entry and its id for the person. */
        quien: text,
        proveedor: text,
        identificador: text,
        pais: text,
        documento: text,
        nombre: text,
        bloqueada: { type: 'boolean' },
        /** It has the document of the agent's own account. */
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
    /** The hours of the week, one stretch a line. */
    horario: text,
    fechas: list(object({ fecha: text, horario: text, nota: text })),
  }),
  deskHoursKept: object({
    guardado: { type: 'boolean' },
    /** Bookings that have no place by the hours that were asked for, or that were moved. */
    reservas: list(object({ ...callParts, nombre: text })),
    /** The same in a sentence; empty: none. */
    lista: text,
  }),
  deskMessages: object({
    /** How many wait for an answer in all. */
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
        /** The last date (YYYY-MM-DD) on which it is answered, which its sender has in a mail; and whether that has passed. */
        plazo: text,
        atrasado: { type: 'boolean' },
        /** Null: nobody has answered. */
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
        /** Its Monday. */
        semana: text,
        llamadas: { type: 'integer' },
        ausentes: { type: 'integer' },
        /** Minutes on average between entering and the decision; null: nobody waited. */
        espera: { type: ['integer', 'null'] },
        estados: list(object({ estado: text, cantidad: { type: 'integer' } })),
      }),
    ),
  }),
  deskAct: object(
    { hecho: { type: 'boolean' } },
    { /** Another agent must do the same first. */ espera: { type: 'boolean' } },
  ),
  deskDecision: object({ estado: text }),
  colleagues: list(agent),
} as const;

/** Bodies of the desk's operations that no screen sends as they are. */
export const bodies = {
  deskDate: object({ agenda: text, fecha: text }, { mover: { type: 'boolean' } }),
} as const;
