import { asObject, type ValuesByName } from './json.ts';
import type { CompiledScreen } from './compiled-screen.ts';

const earlierAnswersKey = 'earlier';

/** Adds the answers of earlier steps that the screen declares to a context. Keeps other answers in the context. `values` must not contain secrets. */
export function addEarlierAnswers(
  { earlier: names }: Pick<CompiledScreen, 'earlier'>,
  values: ValuesByName,
  context: ValuesByName,
): ValuesByName {
  if (names === undefined) return context;
  const answers = names.flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name]] as const] : []));
  return {
    ...context,
    [earlierAnswersKey]: { ...asObject(context[earlierAnswersKey]), ...Object.fromEntries(answers) },
  };
}

export function addEarlierAnswersToForm(form: ValuesByName, context: ValuesByName): ValuesByName {
  return earlierAnswersKey in context ? { ...asObject(context[earlierAnswersKey]), ...form } : form;
}

/** Returns a new context for a re-rendered form. Keeps the earlier answers with which the form was opened. */
export function copyEarlierAnswers(opened: ValuesByName | undefined, context: ValuesByName): ValuesByName {
  return opened && earlierAnswersKey in opened
    ? { ...context, [earlierAnswersKey]: opened[earlierAnswersKey] }
    : context;
}
