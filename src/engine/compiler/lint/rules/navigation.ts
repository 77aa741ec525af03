import { isObject, type Json } from '../../../core/json.ts';
import { findRoute, pathNames } from '../../../core/route.ts';
import { guess } from '../../sources/near.ts';
import { listRoutes } from '../../flow/routes.ts';
import { listLinks } from '../../screen/fields-of-ui.ts';
import { type Finding, branchesIn, type Subject, type LintedFlow, screenRule, flowRule, setRule } from '../subject.ts';
import type { Localized } from '../../localized.ts';
import { say } from '../../sources/say.ts';
import type { Flow, State, Branch, Step, Ui } from '../../../core/definition.ts';
import { listBranches, findEffect } from '../../../core/transition.ts';
import { findSteps } from '../../explore/entry-points.ts';
import { placeholders } from '../../../core/messages.ts';
import { indexTexts } from '../../shared/texts.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { listVariables } from '../../../core/logic.ts';
import { listParts } from '../../explore/screens.ts';

/** Reports two events of a state with the same operation and input: probably an incomplete copy. */
export const eventTwice = flowRule('event/twice', 'W', ({ flow, file, toSourcePointer }) =>
  Object.entries(flow.states).flatMap(([name, { on = {} }]) => {
    const calls = Object.entries(on).flatMap(([event, transition]) =>
      findEffect(transition) ? [{ event, does: JSON.stringify(transition) }] : [],
    );
    return calls.flatMap(({ event, does }, index) => {
      const first = calls.slice(0, index).find((one) => one.does === does);
      if (!first) return [];
      return {
        file,
        pointer: toSourcePointer(`/states/${escapePointer(name)}/on/${escapePointer(event)}`),
        message: say`"${event}" does the same as "${first.event}".`,
        hint: say`Write what it does, or let one button raise both.`,
      };
    });
  }),
);

/** Reports events that a state with a block handles, but neither the block nor its screen raises. */
export const eventBlock = flowRule('event/block', 'E', ({ flow, file, toSourcePointer }, { screens, contract }) =>
  Object.entries(flow.states).flatMap(([name, state]): readonly Finding[] => {
    const events = contract.blocks[state.block ?? '']?.events;
    if (!events) return [];
    const ui = screens.get(state.screen ?? '')?.ui;
    const checkEventBlockScreen = ui
      ? [...(ui.actions ?? []), ...listLinks(ui).map(([, link]) => link)].flatMap(({ event }) => event ?? [])
      : [];
    const raised = [...events, ...checkEventBlockScreen, ...(state.after ? [state.after.event] : [])];
    return Object.keys(state.on ?? {})
      .filter((event) => !raised.includes(event))
      .map((event) => {
        const near = guess(event, raised);
        return {
          file,
          pointer: toSourcePointer(`/states/${escapePointer(name)}/on/${escapePointer(event)}`),
          message: say`The block "${state.block ?? ''}" raises no "${event}".`,
          hint: say`${near}It raises: ${raised.join(', ') || '–'}.`,
        };
      });
  }),
);

/** Reports buttons whose success changes nothing on the screen, so that users press them again. */
export const eventSilent = flowRule(
  'event/silent',
  'W',
  ({ flow, file, pointers, toSourcePointer }, { screens, contract }) =>
    Object.entries(flow.states).flatMap(([name, state]) => {
      const ui = screens.get(state.screen ?? '')?.ui;
      if (!ui || state.block !== undefined) return []; // unknown: blocks draw in their code
      const seen = findDependencies(ui, state, (flow.progress ?? []).flat());
      if (seen === null || (contract.changing ?? []).some((root) => seen.roots.has(root))) return [];
      return Object.entries(state.on ?? {}).flatMap(([event, transition]) => {
        const effect = findEffect(transition);
        if (!effect || !raises(ui, event)) return [];
        return effect.onDone
          .filter((branch) => isSilent(branch, name, seen.variables))
          .map((branch): Finding => ({
            file,
            pointer:
              pointers.get(branch) ?? toSourcePointer(`/states/${escapePointer(name)}/on/${escapePointer(event)}`),
            message: say`"${effect.src}" succeeds, and nothing changes on the screen: whoever raised "${event}" does not know.`,
            hint: say`Raise a "notice", lead to another state, or assign something that the screen shows.`,
          }));
      });
    }),
);

/** Returns the variables and fact roots that drawing a state depends on. Returns `null` if it also depends on responses of operations. */
function findDependencies(ui: Ui, state: State, steps: readonly Step[]) {
  if (/"source":/.test(JSON.stringify(ui.fields ?? {}))) return null;
  const whole = ui as unknown as Json; // definitions are JSON
  const rules = [whole, state.after?.at, state.chrome, ...steps.map(({ guard }) => guard)];
  const paths = rules.flatMap((rule) => (rule === undefined ? [] : listVariables(rule)));
  const named = placeholders(JSON.stringify(ui));
  const inRules = paths.flatMap((path) => (path.startsWith('context.') ? (path.split('.')[1] ?? []) : []));
  return {
    variables: new Set([...named, ...inRules]),
    roots: new Set([...named, ...paths.map((path) => path.split('.')[0] ?? '')]),
  };
}

/** Whether a part of the screen raises the event, as opposed to a delay. */
function raises(ui: Ui, event: string): boolean {
  return [...listParts(ui), ...listLinks(ui).map(([, link]) => link)].some((part) => part.event === event);
}

function isSilent(
  { target, challenge, leave, notice, clear = [], assign = {} }: Branch,
  name: string,
  shown: ReadonlySet<string>,
): boolean {
  const stays = (target === undefined || target === name) && challenge === undefined && leave === undefined;
  return stays && notice === undefined && clear.length === 0 && !Object.keys(assign).some((one) => shown.has(one));
}

/** Reports texts that include a query variable, since any link could make the portal show its text. */
export const dataAddress = screenRule('data/address', 'W', ({ id, ui, files }, { flows }) => {
  const { ui: file } = files;
  const given = flows.flatMap(({ flow }) =>
    Object.values(flow.states).some(({ screen }) => screen === id)
      ? Object.entries(flow.context ?? {}).flatMap(([name, { from }]) => (from === 'query' ? [name] : []))
      : [],
  );
  if (!file) return [];
  return [...indexTexts(ui as unknown as Json)].flatMap(([pointer, text]) =>
    placeholders(text)
      .filter((name) => given.includes(name))
      .map((name) => ({
        file,
        pointer,
        message: say`This text says what the address has as "${name}": any link can make it say something else.`,
        hint: say`Choose among own texts by a code.`,
      })),
  );
});

/** Reports links to an adjacent step that is the target of an event. Following the link would skip the event's checks, operation and assignments. */
export const navStep = screenRule('nav/step', 'W', ({ id, ui, files }, { flows }) => {
  const file = files.ui;
  const uses = flows.flatMap((linted) => listScreenUses(linted, id));
  if (!file || uses.length === 0) return [];
  return listLinks(ui).flatMap(([pointer, { to, newTab }]) => {
    if (to === undefined || newTab === true) return [];
    const events = new Set(uses.map((use) => eventTo(use, to)));
    const [event] = events;
    if (event === undefined || events.size > 1) return []; // no event has the same effect in all states of the screen
    return {
      file,
      pointer: `${pointer}/to`,
      message: say`"${to}" is the step to which "${event}" leads: a link to its address leaves out what the event does.`,
      hint: say`Write "event": "${event}" in the place of "to".`,
    };
  });
});

interface ScreenUse {
  readonly flow: Flow;
  readonly name: string;
  readonly state: State;
}

function listScreenUses({ flow }: LintedFlow, screen: string): readonly ScreenUse[] {
  return Object.entries(flow.states).flatMap(([name, state]) =>
    state.screen === screen ? [{ flow, name, state }] : [],
  );
}

/** Returns the event of a step whose target is the adjacent step with this address. */
function eventTo({ flow, name, state }: ScreenUse, to: string): string | undefined {
  const way = findSteps(flow, name);
  const here = way.indexOf(name);
  const target = findRoute(listRoutes(flow), to.normalize('NFC'))?.route.state; // an address with a query does more than the event
  if (target === undefined || here < 0 || (target !== way[here - 1] && target !== way[here + 1])) return undefined;
  const [led] = Object.entries(state.on ?? {}).find(([, transition]) => {
    const effect = findEffect(transition);
    return (effect?.onDone ?? listBranches(transition)).some((branch) => branch.target === target);
  }) ?? [target === (state.back ?? way[here - 1]) ? 'back' : undefined];
  return led;
}

/** Reports addresses with an unfilled parameter, or with a query variable that the target flow does not declare. */
export const navLeave = setRule('nav/leave', 'E', (subject) => {
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
    listLinks(ui).flatMap(([pointer, { to }]) =>
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
});

type DiagnosticText = readonly [message: Localized, hint: Localized];

function teller({ flows }: Subject): (address: string, query: readonly string[]) => readonly DiagnosticText[] {
  const routes = flows.flatMap(({ flow }) => listRoutes(flow));
  return (address, query) => {
    if (!address.startsWith('/') || /\{\w+\}/.test(address)) return [];
    const [path = '', search = ''] = address.split('#')[0]?.split('?') ?? [];
    const unfilled = pathNames(path).map((name): DiagnosticText => [
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
      ...lost.map((name): DiagnosticText => {
        const near = guess(name, declared);
        const list = declared.join(', ') || '–';
        return [say`The flow "${target.id}" does not read "${name}" of the address.`, say`${near}It reads: ${list}.`];
      }),
    ];
  };
}

/** Returns the literal addresses of a `leave`, with the names of their query parameters. */
function addressesIn(
  leave: Json | undefined,
): readonly { readonly address: string; readonly query: readonly string[] }[] {
  if (typeof leave === 'string') return [{ address: leave, query: [] }];
  if (Array.isArray(leave)) return leave.flatMap((part: Json) => addressesIn(part));
  if (!isObject(leave)) return [];
  const { to, query, host } = leave as Record<string, Json>;
  if (host !== undefined) return []; // pages of other hosts are unknown
  if (typeof to === 'string') return [{ address: to, query: Object.keys(isObject(query) ? query : {}) }];
  if (to !== undefined) return addressesIn(to);
  const [[operator = '', operands = null] = []] = Object.entries(leave as Record<string, Json>);
  return ['if', 'or', 'and', '?:'].includes(operator) ? addressesIn(operands) : [];
}
