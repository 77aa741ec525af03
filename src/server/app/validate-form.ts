import type { ValidatedForm } from '../../contract/contract.ts';
import type { ValidateForm } from '../platform/base/validate-form.ts';
import { RefusedBody } from '../platform/base/refused-body.ts';
import { factsOf } from './facts.ts';
import type { Parts } from './parts.ts';

/** Validates against the current definitions. */
export function createValidateForm(parts: Pick<Parts, 'clock' | 'config' | 'definitions' | 'store'>): ValidateForm {
  return async (screen, values, { caller, origin: { language } }) => {
    const { data, errors } = parts
      .definitions()
      .check(screen, values, { language, context: await factsOf(parts, caller) });
    if (Object.keys(errors).length > 0) throw new RefusedBody(errors);
    return data as ValidatedForm<typeof screen>; // the checker holds the screen's fields to the types of the row
  };
}
