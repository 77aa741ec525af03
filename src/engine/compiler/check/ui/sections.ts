import { variablesOf } from '../../../core/logic.ts';
import { instead } from '../../sources/near.ts';
import { checkShown } from './shown.ts';
import type { UiCheck } from './ui-check.ts';
import { say } from '../../sources/say.ts';

/** Checks that sections name each field once, and that none waits for what is typed in itself. */
export function checkSections(check: UiCheck): void {
  const { ui, report } = check;
  const known = check.stepsIn(null);
  const { sections = [] } = ui;
  const sectionOf = new Map<string, string>();
  for (const [index, { title, fields, visible }] of sections.entries()) {
    const at = `/sections/${index}`;
    const untitled = (title as string | undefined) === undefined; // its format leaves it to this check
    if (untitled)
      report(
        at,
        say`The section has no title: who cannot see it would not hear where it begins.`,
        say`Give it a "title", what its fields are about or the question that they answer.`,
      );
    for (const [place, name] of fields.entries()) {
      const pointer = `${at}/fields/${place}`;
      const other = sectionOf.get(name);
      if (other !== undefined)
        report(pointer, say`"${name}" stands in the section "${other}" already.`, say`Name it in one section alone.`);
      else if (!known.includes(name)) report(pointer, say`There is no field "${name}".`, instead(name, known));
      else sectionOf.set(name, title);
    }
    if (visible === undefined) continue;
    checkShown(check, `${at}/visible`, visible);
    const own = variablesOf(visible).find(
      (path) => path.startsWith('form.') && fields.includes(path.split('.')[1] ?? ''),
    );
    if (own !== undefined)
      report(
        `${at}/visible`,
        say`The section "${title}" is shown by "${own}", a field of its own: hidden, it could never be filled in.`,
        say`Put that field before the section, or the rule into "visible" of the other fields.`,
      );
  }
}
