import type { OperationResponse } from '../contract.ts';

type Week = OperationResponse<'getFigures'>['semanas'][number];

/** Formats the call figures of a week as cells: Monday, calls, missed calls, waiting time, states. */
export function formatCallFigures({ semana, llamadas, ausentes, espera, estados }: Week): readonly string[] {
  const states = estados.map(({ estado, cantidad }) => `${estado}: ${cantidad}`).join('; ');
  return [semana, String(llamadas), String(ausentes), espera === null ? '' : String(espera), states];
}
