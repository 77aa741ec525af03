import { escapePointer } from '../../../core/json-pointer.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { reading } from '../../flow/short-forms.ts';
import { guess, nearest } from '../../sources/near.ts';
import { say } from '../../sources/say.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { LintRule, Finding } from '../finding.ts';
import { namesOf, shapeAt } from '../shapes.ts';
import type { Subject } from '../subject.ts';

/** A part of a fact that it does not have: `user.nombre` where the record says `primer_nombre`. */
export const dataFact: LintRule<Subject> = {
  id: 'data/fact',
  severity: 'E',
  find: (subject) => {
    const uis = [...subject.screens.values()].flatMap(({ files }) => files.ui ?? []);
    return [...subject.set.flows, ...uis].flatMap((file) => inFile(file, subject));
  },
};

function inFile(file: SourceFile, { contract: { factShapes = {} } }: Subject): readonly Finding[] {
  const found: Finding[] = [];
  const look = (path: string, pointer: string, isKey: boolean): void => {
    const [root = '', ...steps] = path.split('.');
    const schema = factShapes[root];
    if (!schema || steps.length === 0 || !reading.test(path) || shapeAt({ schema, optional: true }, steps)) return;
    const holder = shapeAt({ schema, optional: true }, steps.slice(0, -1));
    const names = (holder && namesOf(holder)) ?? [];
    const near = nearest(steps.at(-1) ?? '', names);
    const mended = near === undefined ? undefined : [root, ...steps.slice(0, -1), near].join('.');
    found.push({
      file,
      pointer,
      message: say`"${path}" does not exist.`,
      hint: say`${guess(steps.at(-1) ?? '', names)}There is: ${names.join(', ') || '–'}.`,
      ...(mended !== undefined && !isKey && { fix: [{ file: file.path, pointer, value: mended }] }),
    });
  };
  const visit = (node: Json | undefined, pointer: string): void => {
    if (typeof node === 'string') return look(node, pointer, false);
    if (Array.isArray(node)) return node.forEach((part: Json, index) => visit(part, `${pointer}/${index}`));
    if (!isObject(node)) return;
    for (const [key, part] of Object.entries(node as Readonly<Record<string, Json>>)) {
      const at = `${pointer}/${escapePointer(key)}`;
      look(key, at, true);
      visit(part, at);
    }
  };
  visit(file.value, '');
  return found;
}
