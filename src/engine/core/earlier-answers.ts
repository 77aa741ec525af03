import { asObject, type Values } from './json.ts';
import type { ScreenData } from './screen.ts';

/** Key of the earlier answers in the context. */
const earlier = 'earlier';

/**
 * Returns a screen's rule context with the earlier answers that the screen declares. `values` must not contain secrets. Keeps an answer of the
 * context, e.g. of a test case, if no step provides the field.
 */
export function addEarlierAnswers(
  { earlier: names }: Pick<ScreenData, 'earlier'>,
  values: Values,
  context: Values,
): Values {
  if (names === undefined) return context;
  const answers = names.flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name]] as const] : []));
  return { ...context, [earlier]: { ...readEarlierAnswers(context), ...Object.fromEntries(answers) } };
}

/** Returns the form values that rules read: the values of the form, and the answers of earlier steps. */
export function combineWithEarlier(form: Values, context: Values): Values {
  return earlier in context ? { ...readEarlierAnswers(context), ...form } : form;
}

function readEarlierAnswers(context: Values): Values {
  const answers = context[earlier];
  return asObject(answers);
}

/** Returns a new context for a re-rendered form. Keeps the earlier answers with which the form was opened. */
export function copyEarlierAnswers(opened: Values | undefined, context: Values): Values {
  return opened && earlier in opened ? { ...context, [earlier]: opened[earlier] } : context;
}
