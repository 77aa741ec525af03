import { withEarlier } from '../../core/earlier.ts';
import { setValue, stepsOfName, valueAt } from '../../core/field-path.ts';
import type { Values } from '../../core/json.ts';
import { checkForm, type Validator } from '../../core/validate.ts';
import type { CheckResult } from '../definitions.ts';

/** Whether a journey asks what a screen asks, by the facts and, as `form`, what the screens before it were answered. */
export type IsAsked = (screen: string, scope: Values) => boolean;

/** A screen that is asked, what of a body is its own, and what it says of that. */
interface Part {
  readonly validator: Validator;
  readonly own: Values;
  readonly context: Values;
  readonly verdict: CheckResult;
}

/**
 * Validates what several screens asked for as one body: each checks its own fields, and the first what none of them has. Rules of a screen see those
 * answers of the screens before it that it declares; no secrets, which a browser does not keep.
 */
export function checkForms(
  validators: readonly Validator[],
  values: Values,
  context: Values,
  isAsked?: IsAsked,
): CheckResult {
  const parts = partsOf(validators, values, context, isAsked);
  const known = new Set(parts.flatMap(({ validator }) => [...namesOf(validator)]));
  const unknown = Object.entries(values).filter(([name]) => !known.has(name));
  const verdicts = parts.map(({ validator, own, context: around, verdict }, index) =>
    index > 0 || unknown.length === 0
      ? verdict
      : checkForm(validator, { ...own, ...Object.fromEntries(unknown) }, around),
  );
  const merged = (of: readonly Values[]) => Object.fromEntries(of.flatMap((part) => Object.entries(part)));
  return {
    data: merged(verdicts.map(({ data }) => data)),
    errors: merged(verdicts.map(({ errors }) => errors)) as CheckResult['errors'], // messages, as each of its parts
  };
}

/** The version of the rules of those of several screens that are asked, whatever their order. */
export function versionOf(
  validators: readonly Validator[],
  values: Values,
  context: Values,
  isAsked?: IsAsked,
): string {
  return partsOf(validators, values, context, isAsked)
    .map(({ validator: { screen } }) => screen.version)
    .sort()
    .join('.');
}

function partsOf(
  validators: readonly Validator[],
  values: Values,
  context: Values,
  isAsked: IsAsked = () => true,
): readonly Part[] {
  const before: Record<string, unknown> = {};
  const parts: Part[] = [];
  for (const validator of validators) {
    const { screen } = validator;
    if (!isAsked(screen.id, { ...context, form: before })) continue;
    const names = namesOf(validator);
    const own = Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
    const around = withEarlier(screen, before, context);
    const verdict = checkForm(validator, own, around);
    for (const { name, secret } of screen.fields) if (!secret) setValue(before, name, valueAt(verdict.data, name));
    parts.push({ validator, own, context: around, verdict });
  }
  return parts;
}

function namesOf({ screen }: Validator): ReadonlySet<string> {
  return new Set(screen.fields.map(({ name }) => stepsOfName(name)[0] ?? name));
}
