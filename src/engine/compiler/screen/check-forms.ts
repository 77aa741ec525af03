import { withEarlier } from '../../core/earlier-answers.ts';
import { setValue, splitFieldName, valueAt } from '../../core/field-path.ts';
import type { Values } from '../../core/json.ts';
import { checkForm, type Validator } from '../../core/validate.ts';
import type { CheckResult } from '../definitions.ts';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { listValidator } from '../../core/lists.ts';
import { runtime } from '../../core/runtime.ts';
import type { ScreenModule } from '../../core/screen.ts';
import type { Plugins } from '../files/plugin-table.ts';

/** Whether a journey includes a screen, given the facts and, as `form`, the answers of earlier screens. */
export type IsAsked = (screen: string, scope: Values) => boolean;

/** One screen's part of a request body, and its validation result. */
interface ScreenCheck {
  readonly validator: Validator;
  readonly own: Values;
  readonly context: Values;
  readonly verdict: CheckResult;
}

/**
 * Validates a body that combines the forms of several screens. Each screen validates its own fields, and the first one refuses unknown fields. Rules
 * may read the earlier answers that their screen declares, but never secrets, which the browser does not keep.
 */
export function checkForms(
  validators: readonly Validator[],
  values: Values,
  context: Values,
  isAsked?: IsAsked,
): CheckResult {
  const parts = checkEachScreen(validators, values, context, isAsked);
  const known = new Set(parts.flatMap(({ validator }) => [...listFieldNames(validator)]));
  const unknown = Object.entries(values).filter(([name]) => !known.has(name));
  const verdicts = parts.map(({ validator, own, context: around, verdict }, index) =>
    index > 0 || unknown.length === 0
      ? verdict
      : checkForm(validator, { ...own, ...Object.fromEntries(unknown) }, around),
  );
  const merged = (of: readonly Values[]) => Object.fromEntries(of.flatMap((part) => Object.entries(part)));
  return {
    data: merged(verdicts.map(({ data }) => data)),
    errors: merged(verdicts.map(({ errors }) => errors)) as CheckResult['errors'], // the errors of each screen are messages
  };
}

/** Returns the combined version of the rules of the included screens, independent of their order. */
export function combineVersions(
  validators: readonly Validator[],
  values: Values,
  context: Values,
  isAsked?: IsAsked,
): string {
  return checkEachScreen(validators, values, context, isAsked)
    .map(({ validator: { screen } }) => screen.version)
    .sort()
    .join('.');
}

function checkEachScreen(
  validators: readonly Validator[],
  values: Values,
  context: Values,
  isAsked: IsAsked = () => true,
): readonly ScreenCheck[] {
  const before: Record<string, unknown> = {};
  const parts: ScreenCheck[] = [];
  for (const validator of validators) {
    const { screen } = validator;
    if (!isAsked(screen.id, { ...context, form: before })) continue;
    const names = listFieldNames(validator);
    const own = Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
    const around = withEarlier(screen, before, context);
    const verdict = checkForm(validator, own, around);
    for (const { name, secret } of screen.fields) if (!secret) setValue(before, name, valueAt(verdict.data, name));
    parts.push({ validator, own, context: around, verdict });
  }
  return parts;
}

function listFieldNames({ screen }: Validator): ReadonlySet<string> {
  return new Set(screen.fields.map(({ name }) => splitFieldName(name)[0] ?? name));
}

/** Creates the validator of a screen from its module and the plugins. The server runs the same module as browsers. */
export function instantiate(module: ScreenModule, plugins: Plugins): Validator {
  const formats = {
    ...fullFormats,
    ...Object.fromEntries([...plugins.formats].map(([name, { check }]) => [name, check])),
  };
  const rules = new Map([...plugins.rules].map(([keyword, { rule }]) => [keyword, rule]));
  return { screen: module.screen, values: module.validators(formats, runtime), rules, items: listValidator };
}
