import { isObject, type Values } from './json.ts';
import type { ScreenData } from './screen.ts';

/** The name in the context of what earlier steps asked. */
const earlier = 'earlier';

/**
 * The context of a screen's rules, with the answers of earlier steps that it declares: of these values no secret may be one. What the context names
 * already, as that of a case does, stays where no step asked for it.
 */
export function withEarlier({ earlier: names }: Pick<ScreenData, 'earlier'>, values: Values, context: Values): Values {
  if (names === undefined) return context;
  const kept = names.flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name]] as const] : []));
  return { ...context, [earlier]: { ...answersIn(context), ...Object.fromEntries(kept) } };
}

/** The form as rules see it: its own values, and beside them the answers of earlier steps. */
export function formWithEarlier(form: Values, context: Values): Values {
  return earlier in context ? { ...answersIn(context), ...form } : form;
}

function answersIn(context: Values): Values {
  const answers = context[earlier];
  return isObject(answers) ? answers : {};
}

/** Another context for a form that is drawn anew, with the earlier answers that it was opened with. */
export function keepEarlier(opened: Values | undefined, context: Values): Values {
  return opened && earlier in opened ? { ...context, [earlier]: opened[earlier] } : context;
}
