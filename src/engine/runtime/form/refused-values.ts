import { checkForm, isEmpty } from '../../core/validate.ts';
import type { Draft } from './draft.ts';

/** Takes out of a form what its rules refuse, and answers the labels of these fields. What is only missing is none of them. */
export function dropRefused(draft: Draft): readonly string[] {
  const dropped = new Map<string, string>();
  for (;;) {
    const { errors } = checkForm(draft.validator, draft.values, draft.context);
    const refused = Object.keys(errors).filter((name) => !dropped.has(name) && !isEmpty(draft.field(name)?.value));
    if (refused.length === 0) return [...dropped.values()];
    // What is wrong may be so beside another value: what is left is validated again.
    for (const name of refused) dropped.set(name, draft.labelOf(name));
    for (const name of refused) draft.field(name)?.set(undefined);
  }
}
