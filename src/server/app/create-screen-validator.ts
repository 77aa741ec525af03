import type { ValidatedForm } from '../../contract/contract.ts';

import { InvalidBodyError } from '../platform/base/errors.ts';
import type { HandlerContext, ValidateForm } from '../features/handler-context.ts';
import { loadScreenFacts } from './screen-facts.ts';

export function createScreenValidator(
  parts: Pick<HandlerContext, 'clock' | 'config' | 'definitions' | 'store'>,
): ValidateForm {
  return async (screen, values, { caller, origin: { language } }) => {
    const { data, errors } = parts
      .definitions()
      .check(screen, values, { language, context: await loadScreenFacts(parts, caller) });
    if (Object.keys(errors).length > 0) throw new InvalidBodyError(errors);
    return data as ValidatedForm<typeof screen>; // the cast is safe: the checker compares the screen's fields with the types of the contract
  };
}
