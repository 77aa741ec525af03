import { isObject } from '../../../core/json.ts';
import { uiOf } from '../../../core/ui.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { pointerOfUi } from '../../screen/fields-of-ui.ts';
import type { UiCheck } from './ui-check.ts';
import { say } from '../../sources/say.ts';
import type { Localized } from '../../localized.ts';

/** Checks that every name of a field is one of the schema's, and that the order names none twice. */
export function checkNames(check: UiCheck): void {
  const { ui, fields, groups, report } = check;
  checkFields(check, null);
  for (const group of Object.keys(groups)) checkFields(check, group);
  const known = {
    visible: [...Object.keys(fields), ...Object.keys(groups)].filter((name) => !check.isItem(name)),
    messages: Object.keys(fields),
  };
  for (const part of ['visible', 'messages'] as const) {
    for (const name of Object.keys(ui[part] ?? {}))
      if (!known[part].includes(name)) report(`/${part}/${escapePointer(name)}`, ...none(name, known[part]));
  }
}

// What the ui names of the screen itself, or of an object of fields.
function checkFields(check: UiCheck, group: string | null): void {
  const { ui, report } = check;
  const own = group === null ? (ui.fields ?? {}) : uiOf(ui, group);
  const at = group === null ? '/fields' : pointerOfUi(group);
  const steps = check.stepsIn(group);
  for (const name of Object.keys(own).filter((key) => isObject(own[key]) && !key.startsWith('ui:')))
    if (!steps.includes(name)) report(`${at}/${escapePointer(name)}`, ...none(name, steps));
  const order = (own['ui:order'] ?? []) as readonly string[]; // ui.json passed its format
  order.forEach((name, index) => {
    const pointer = `${at}/ui:order/${index}`;
    if (order.indexOf(name) < index)
      report(pointer, say`"${name}" stands twice in the order.`, say`Remove one of them.`);
    else if (name !== '*' && !steps.includes(name)) report(pointer, ...none(name, steps));
  });
}

function none(name: string, known: readonly string[]): [message: Localized, hint: Localized] {
  return [say`There is no field "${name}".`, say`Fields of schema.json: ${known.join(', ') || say`none`}.`];
}
