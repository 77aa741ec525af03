import { isObject, type Json } from '../../../core/json.ts';
import { findRoute, pathNames } from '../../../core/route.ts';
import { guess } from '../../sources/near.ts';
import { routesOf } from '../../flow/routes.ts';
import { linksOf } from '../../screen/links-of-ui.ts';
import type { LintRule, Finding } from '../finding.ts';
import type { Localized } from '../../localized.ts';
import { branchesIn, type Subject } from '../subject.ts';
import { say } from '../../sources/say.ts';

/** An address with a parameter that nothing fills, or with a query that the flow behind it does not declare. */
export const navLeave: LintRule<Subject> = {
  id: 'nav/leave',
  severity: 'E',
  find: (subject) => {
    const told = teller(subject);
    const left = subject.flows.flatMap((linted) =>
      branchesIn(linted).flatMap(([{ leave }, at]) =>
        addressesIn(leave).flatMap(({ address, query }) =>
          told(address, query).map(([message, hint]): Finding => ({
            file: linted.file,
            pointer: `${at}/leave`,
            message,
            hint,
          })),
        ),
      ),
    );
    const linked = [...subject.screens.values()].flatMap(({ ui, files }) =>
      linksOf(ui).flatMap(([pointer, { to }]) =>
        files.ui === null || to === undefined
          ? []
          : told(to, []).map(([message, hint]): Finding => ({
              file: files.ui ?? { path: '', text: '', tree: undefined },
              pointer: `${pointer}/to`,
              message,
              hint,
            })),
      ),
    );
    return [...left, ...linked];
  },
};

type Told = readonly [message: Localized, hint: Localized];

function teller({ flows }: Subject): (address: string, query: readonly string[]) => readonly Told[] {
  const routes = flows.flatMap(({ flow }) => routesOf(flow));
  return (address, query) => {
    if (!address.startsWith('/') || /\{\w+\}/.test(address)) return [];
    const [path = '', search = ''] = address.split('#')[0]?.split('?') ?? [];
    const unfilled = pathNames(path).map((name): Told => [
      say`Nothing fills ":${name}" of "${address}".`,
      say`Put the address together by "cat" with the value.`,
    ]);
    const found = findRoute(routes, path.normalize('NFC'));
    const target = flows.find(({ flow }) => flow.id === found?.route.flow)?.flow;
    if (!target) return unfilled;
    const declared = Object.entries(target.context ?? {}).flatMap(([name, { from }]) =>
      from === 'query' ? [name] : [],
    );
    const asked = [...new URLSearchParams(search).keys(), ...query];
    const lost = asked.filter((name) => !declared.includes(name));
    return [
      ...unfilled,
      ...lost.map((name): Told => {
        const near = guess(name, declared);
        const list = declared.join(', ') || '–';
        return [say`The flow "${target.id}" does not read "${name}" of the address.`, say`${near}It reads: ${list}.`];
      }),
    ];
  };
}

/** The addresses of the portal that a `leave` writes out, with the names of their queries. */
function addressesIn(
  leave: Json | undefined,
): readonly { readonly address: string; readonly query: readonly string[] }[] {
  if (typeof leave === 'string') return [{ address: leave, query: [] }];
  if (Array.isArray(leave)) return leave.flatMap((part: Json) => addressesIn(part));
  if (!isObject(leave)) return [];
  const { to, query, host } = leave as Record<string, Json>;
  if (host !== undefined) return []; // pages of another host read what they read
  if (typeof to === 'string') return [{ address: to, query: Object.keys(isObject(query) ? query : {}) }];
  if (to !== undefined) return addressesIn(to);
  const [[operator = '', operands = null] = []] = Object.entries(leave as Record<string, Json>);
  return ['if', 'or', 'and', '?:'].includes(operator) ? addressesIn(operands) : [];
}
