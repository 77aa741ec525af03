import type { Call } from '../call.ts';
import { deskActions, ofDesk } from '../desk.ts';
import { list, object, text } from '../shapes.ts';

/** The desk of the agents. A citizen's script holds none of these rows. */
export const deskCalls = {
  getDesk: {
    method: 'GET',
    path: '/rest/agentes/mesa/',
    answer: 'desk',
    ...ofDesk(...deskActions),
    summary: 'Who sits at the desk, and what they may do there.',
  },
} as const satisfies Readonly<Record<string, Call>>;

/** Answers of the calls above. */
export const deskAnswers = {
  desk: object({
    id: text,
    nombre: text,
    /** Actions of the resource `agentes`. */
    permisos: list(text),
    /** Whether another agent verifies each approval. */
    segundo_agente: { type: 'boolean' },
  }),
} as const;
