import type { Branch, ContextVariable } from '../../core/definition.ts';
import type { Report } from '../sources/source-file.ts';
import { escapePointer, pointerSteps } from '../../core/json-pointer.ts';
import type { WrittenContext } from './written-flow.ts';
import { explain, say } from '../sources/say.ts';

type Variables = Readonly<Record<string, ContextVariable>>;

/** Returns the variables of a flow: those in `context` and those that branches assign. */
export function buildVariables(written: WrittenContext = {}, branches: Iterable<Branch>): Variables {
  const { query = [], path = [], history = [], storage = [], saved = [], defaults = {} } = written;
  const assigned = [...branches].flatMap(({ assign = {} }) => Object.keys(assign));
  const names = new Set([...query, ...path, ...history, ...storage, ...saved, ...Object.keys(defaults), ...assigned]);
  return Object.fromEntries(
    [...names].map((name): [string, ContextVariable] => [
      name,
      {
        from: path.includes(name) ? 'path' : query.includes(name) ? 'query' : 'result',
        ...(storage.includes(name) ? { persist: true } : history.includes(name) ? { persist: 'entry' } : {}),
        ...(saved.includes(name) ? { saved: true } : {}),
        ...(Object.hasOwn(defaults, name) ? { default: defaults[name] } : {}),
      },
    ]),
  );
}

/** Pairs of mutually exclusive lists in `context`. */
const alternatives = [
  ['query', 'path', say`comes from one place`],
  ['history', 'storage', say`is kept in one place`],
  ['query', 'saved', say`of an address may be the secret of a link, and is not saved`],
  ['path', 'saved', say`of an address may be the secret of a link, and is not saved`],
] as const;

export function checkExclusiveLists(written: WrittenContext = {}, report: Report): void {
  for (const [one, other, rule] of alternatives)
    for (const [index, name] of (written[other] ?? []).entries())
      if (written[one]?.includes(name))
        report(`/context/${other}/${index}`)(explain`"${name}" stands in "${one}" as well.
          A variable ${rule}: remove one of them.`);
}

/** Returns the location of a variable in the file: in a list of `context`, or else where it is assigned. */
export function locateVariable(
  pointer: string,
  written: WrittenContext = {},
  branches: ReadonlyMap<object, string>,
): string {
  const [, name = ''] = pointerSteps(pointer);
  for (const [source, names] of Object.entries(written)) {
    const index = Array.isArray(names) ? names.indexOf(name) : -1;
    if (index >= 0) return `/context/${source}/${index}`;
    if (!Array.isArray(names) && Object.hasOwn(names as object, name))
      return `/context/${source}/${escapePointer(name)}`;
  }
  for (const [branch, at] of branches)
    if ('assign' in branch && Object.hasOwn(branch.assign as object, name))
      return `${at}/assign/${escapePointer(name)}`;
  return pointer;
}
