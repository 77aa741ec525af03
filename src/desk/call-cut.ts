import type { Answer } from '../contract/contract.ts';
import { deskName } from './texts.ts';

export type ListedCall = Answer<'getDeskDay'>['llamadas'][number];

const whose = {
  all: () => true,
  mine: ({ mia }: ListedCall) => mia,
  free: ({ agente, terminada }: ListedCall) => agente === null && !terminada,
  late: ({ atrasada }: ListedCall) => atrasada,
} as const;
export type Whose = keyof typeof whose;
export const whoseNames = Object.keys(whose) as readonly Whose[]; // keys of a constant

/** Filter of a list of calls. An empty state or subject matches all. */
export interface CallCut {
  readonly whose: Whose;
  readonly state: string;
  readonly subject: string;
}

export const uncut: CallCut = { whose: 'all', state: '', subject: '' };

export function getSubject({ asunto, tipo }: Pick<ListedCall, 'asunto' | 'tipo'>): string {
  return asunto === '' ? tipo : asunto;
}

export function saySubject(subject: string): string {
  const kind = deskName('kind', subject);
  return kind === subject ? deskName('subject', subject) : kind;
}

export function cutCalls(calls: readonly ListedCall[], cut: CallCut): readonly ListedCall[] {
  return calls
    .filter(whose[cut.whose])
    .filter(({ estado }) => cut.state === '' || estado === cut.state)
    .filter((call) => cut.subject === '' || getSubject(call) === cut.subject);
}
