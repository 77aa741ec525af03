import { withEarlier } from '../../core/earlier.ts';
import { stepsOfName } from '../../core/field-path.ts';
import type { Values } from '../../core/json.ts';
import { checkForm, type Validator } from '../../core/validate.ts';
import type { CheckResult } from '../definitions.ts';

/**
 * Validates what several screens asked for as one body: each checks its own fields, and the first what none of them has. Rules of a screen see those
 * answers of the screens before it that it declares; no secrets, which a browser does not keep.
 */
export function checkForms(validators: readonly Validator[], values: Values, context: Values): CheckResult {
  const fields = validators.map(({ screen }) => new Set(screen.fields.map(({ name }) => stepsOfName(name)[0] ?? name)));
  const before: Record<string, unknown> = {};
  const verdicts = validators.map((validator, index) => {
    const { screen } = validator;
    const others = fields.filter((_, other) => other !== index);
    const isOwn = (name: string) =>
      fields[index]?.has(name) || (index === 0 && !others.some((names) => names.has(name)));
    const own = Object.fromEntries(Object.entries(values).filter(([name]) => isOwn(name)));
    const verdict = checkForm(validator, own, withEarlier(screen, before, context));
    for (const { name, secret } of screen.fields) if (!secret) before[name] = verdict.data[name];
    return verdict;
  });
  const merged = (parts: readonly Values[]) => Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
  return {
    data: merged(verdicts.map(({ data }) => data)),
    errors: merged(verdicts.map(({ errors }) => errors)) as CheckResult['errors'], // messages, as each of its parts
  };
}

/** The version of the rules of several screens, whatever their order. */
export function versionOf(validators: readonly Validator[]): string {
  return validators
    .map(({ screen }) => screen.version)
    .sort()
    .join('.');
}
