import { asObject, type Values } from './json.ts';
import type { ScreenData } from './screen.ts';

/** Key in the context for the answers of earlier steps. */
const earlier = 'earlier';

/**
 * Returns the context of a screen's rules with the earlier answers that the screen declares. `values` must not contain secrets. An answer already in
 * the context, e.g. from a test case, stays if no step provides the field.
 */
export function addEarlierAnswers(
  { earlier: names }: Pick<ScreenData, 'earlier'>,
  values: Values,
  context: Values,
): Values {
  if (names === undefined) return context;
  const kept = names.flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name]] as const] : []));
  return { ...context, [earlier]: { ...readEarlierAnswers(context), ...Object.fromEntries(kept) } };
}

/** Returns the form as rules read it: its values, and the answers of earlier steps. */
export function combineWithEarlier(form: Values, context: Values): Values {
  return earlier in context ? { ...readEarlierAnswers(context), ...form } : form;
}

function readEarlierAnswers(context: Values): Values {
  const answers = context[earlier];
  return asObject(answers);
}

/** Returns a new context for a re-rendered form, with the earlier answers that it was opened with. */
export function copyEarlierAnswers(opened: Values | undefined, context: Values): Values {
  return opened && earlier in opened ? { ...context, [earlier]: opened[earlier] } : context;
}
