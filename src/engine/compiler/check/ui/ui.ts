import type { Ui } from '../../../core/definition.ts';
import { uiOf } from '../../../core/ui.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import type { Report } from '../../sources/report.ts';
import { checkField, checkGroup, checkList } from './field.ts';
import { checkNames } from './names.ts';
import { checkParts } from './parts.ts';
import { checkSections } from './sections.ts';
import { checkShown } from './shown.ts';
import { UiCheck, type UiSurroundings } from './ui-check.ts';
import { say } from '../../sources/say.ts';

/** Checks ui.json against its schema and its surroundings. */
export function checkUi(ui: Ui, around: UiSurroundings, report: Report): void {
  const check = new UiCheck(ui, around, report);
  for (const name of Object.keys(check.groups)) checkGroup(check, name);
  for (const [name, field] of Object.entries(check.fields)) {
    if (check.lists.includes(name)) checkList(check, name);
    else checkField(check, name, field);
  }
  checkNames(check);
  checkSections(check);
  for (const [name, logic] of Object.entries(ui.visible ?? {}))
    checkShown(check, `/visible/${escapePointer(name)}`, logic, check.readableFor(name));
  checkParts(check);
  const isAsked = Object.keys(check.fields).some((name) => uiOf(ui, name)['ui:readonly'] !== true);
  if (isAsked && !(ui.actions ?? []).some(({ event }) => event === 'submit'))
    report('/actions', say`A screen with fields has no button with the event "submit".`, say`Add one to "actions".`);
}
