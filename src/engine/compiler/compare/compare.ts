import type { AccessWords } from '../../core/definition.ts';
import type { FileSet } from '../files/read-set.ts';
import { textTable } from '../files/text-table.ts';
import { say } from '../sources/say.ts';
import type { ReadDefinitions } from '../pipeline.ts';
import type { Change } from './change.ts';
import { flowChanges } from './flow-changes.ts';
import { screenChanges } from './screen-changes.ts';

/** Compares two versions of a set. Breaking changes come first. */
export function compareDefinitions(
  before: ReadDefinitions,
  after: ReadDefinitions,
  access: AccessWords,
): readonly Change[] {
  const changes = [
    ...flowChanges(before.flows, after.flows, access),
    ...screenChanges(before.screens, after.screens),
    ...commonTextChanges(before.set, after.set),
  ];
  return [...changes.filter(({ breaking }) => breaking), ...changes.filter(({ breaking }) => !breaking)];
}

function commonTextChanges(before: FileSet, after: FileSet): readonly Change[] {
  return [...after.commonTexts].flatMap(([name, file]) => {
    const old = textTable(before.commonTexts.get(name));
    return Object.entries(textTable(file)).flatMap(([key, text]): Change[] => {
      const was = old[key];
      if (was === undefined || was === text) return [];
      return [{ breaking: false, where: file.path, text: say`${key}: "${was}" → "${text}"` }];
    });
  });
}
