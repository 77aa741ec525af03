import type { Logic } from '../../../core/definition.ts';
import { variablesOf } from '../../../core/logic.ts';
import { checkCondition } from '../logic.ts';
import type { UiCheck } from './ui-check.ts';
import { say } from '../../sources/say.ts';

/**
 * Checks a rule that shows fields. Where the server validates the same fields, it must see what the rule sees: otherwise it takes them for
 * hidden, and drops what was typed.
 */
export function checkShown(
  { around: { validated }, report, readable: ofForm }: UiCheck,
  pointer: string,
  logic: Logic,
  readable = ofForm,
): void {
  checkCondition(report, pointer, logic, readable);
  if (validated === null) return;
  const seen = (path: string) =>
    /^(form|item)\./.test(path) || validated.some((fact) => path === fact || path.startsWith(`${fact}.`));
  for (const path of variablesOf(logic).filter((name) => !seen(name)))
    report(
      pointer,
      say`The server does not know "${path}": it would take the field for hidden, and drop what was typed.`,
      say`Read fields of the form, or one of ${validated.join(', ')}.`,
    );
}
