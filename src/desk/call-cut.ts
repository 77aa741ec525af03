import type { Answer } from '../contract/contract.ts';
import { deskName } from './texts.ts';

/** A call as the list of a day has it. */
export type ListedCall = Answer<'getDeskDay'>['llamadas'][number];

/** Whose calls are shown. */
const whose = {
  all: () => true,
  mine: ({ mia }: ListedCall) => mia,
  free: ({ agente, terminada }: ListedCall) => agente === null && !terminada,
  late: ({ atrasada }: ListedCall) => atrasada,
} as const;
export type Whose = keyof typeof whose;
export const whoseNames = Object.keys(whose) as readonly Whose[]; // keys of a const table are its names

/** What a list of calls is cut down to; an empty state or subject is any. */
export interface CallCut {
  readonly whose: Whose;
  readonly state: string;
  readonly subject: string;
}

/** All of them. */
export const uncut: CallCut = { whose: 'all', state: '', subject: '' };

/** What a call is about: the subject of a support call, and of the others their kind. */
export function subjectOf({ asunto, tipo }: Pick<ListedCall, 'asunto' | 'tipo'>): string {
  return asunto === '' ? tipo : asunto;
}

/** A subject in words. */
export function saySubject(subject: string): string {
  const kind = deskName('kind', subject);
  return kind === subject ? deskName('subject', subject) : kind;
}

/** The calls that are left. */
export function cutCalls(calls: readonly ListedCall[], cut: CallCut): readonly ListedCall[] {
  return calls
    .filter(whose[cut.whose])
    .filter(({ estado }) => cut.state === '' || estado === cut.state)
    .filter((call) => cut.subject === '' || subjectOf(call) === cut.subject);
}
