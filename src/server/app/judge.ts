import type { JudgedForm } from '../../contract/contract.ts';
import type { Judge } from '../platform/base/judge.ts';
import { RefusedBody } from '../platform/base/refused-body.ts';
import { factsOf } from './facts.ts';
import type { Parts } from './parts.ts';

/** The judge of the definitions of now. */
export function createJudge(parts: Pick<Parts, 'clock' | 'config' | 'definitions' | 'store'>): Judge {
  return async (screen, values, { caller, origin: { language } }) => {
    const { data, errors } = parts
      .definitions()
      .check(screen, values, { language, context: await factsOf(parts, caller) });
    if (Object.keys(errors).length > 0) throw new RefusedBody(errors);
    return data as JudgedForm<typeof screen>; // the checker holds the screen's fields to the types of the row
  };
}
