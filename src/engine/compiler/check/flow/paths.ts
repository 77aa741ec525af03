import type { Flow } from '../../../core/definition.ts';
import { matchPath } from '../../../core/route.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import type { Problems } from '../../sources/source-file.ts';
import type { Report } from '../../sources/report.ts';
import { guess } from '../../sources/near.ts';
import { say } from '../../sources/say.ts';

/** Checks that no two states have the same path and that the pages the server links to exist. Returns all paths. */
export function checkPaths(
  flows: readonly { readonly report: Report; readonly flow: Flow }[],
  pages: readonly string[],
  problems: Problems,
): ReadonlySet<string> {
  const owners = new Map<string, string>();
  for (const { report, flow } of flows) {
    for (const [name, { path }] of Object.entries(flow.states)) {
      const usual =
        path === undefined || path === '/' ? path : path.toLowerCase().replaceAll(/\s+/g, '-').replace(/\/+$/, '');
      if (path !== undefined && path.replace(/:\w+/g, '') !== usual?.replace(/:\w+/g, ''))
        report(
          `/states/${escapePointer(name)}/path`,
          say`The path "${path}" has a capital, a blank or a slash at its end: no link that is typed reaches it.`,
          say`Write "${usual ?? ''}".`,
        );
      const shape = path?.replace(/:\w+/g, ':');
      const other = shape === undefined ? undefined : owners.get(shape);
      if (other)
        report(
          `/states/${escapePointer(name)}/path`,
          say`The path "${path ?? ''}" belongs to ${other} already.`,
          say`Give each state a path of its own.`,
        );
      if (shape !== undefined) owners.set(shape, `${flow.id}.${name}`);
    }
  }
  const paths = new Set(owners.keys());
  for (const page of pages) {
    if (![...paths].some((path) => matchPath(path, page) !== null))
      problems.add(
        { path: 'flows', text: '', tree: undefined },
        '',
        say`No flow has the path "${page}", which the server leads to.`,
        say`${guess(page, paths)}Give it back to its state: code leads there.`,
      );
  }
  return paths;
}
