import { isObject, type Json } from '../../../core/json.ts';
import { walkJson } from '../../../core/json-pointer.ts';
import { findRoute, listPathParameters, matchPath } from '../../../core/route.ts';
import { listNearNames, suggestSimilarName, type ProblemExplanation, explain } from '../../sources/localized-text.ts';
import { findReachableStates, listFlowRoutes, listQueryVariables } from '../../flow/flow-queries.ts';
import { listUiLinks } from '../../screen/schema-fields.ts';
import { listFlowBranches, type LintInput } from '../lint-input.ts';
import { createFindingAt, createScreenLintRule, createDefinitionsLintRule, createStateLintRule } from '../lint-rule.ts';
import type {
  Flow,
  StateDefinition,
  TransitionBranch,
  JourneyStep,
  ScreenUi,
} from '../../../core/flow-and-screen-types.ts';
import { listDirectBranches, findTransitionInvocation } from '../../../core/transition.ts';
import { listJourneyStateNames } from '../../explore/state-space.ts';
import { listPlaceholders } from '../../../core/messages.ts';
import { indexTextsByPointer } from '../../shared/translation.ts';
import { listPathsReadByLogic } from '../../../core/json-logic.ts';
import { listScreenElements } from '../../explore/screen-index.ts';

const eventTwice = createStateLintRule('event/twice', 'W', ({ state: { on = {} }, locate }) => {
  const calls = Object.entries(on).flatMap(([event, transition]) =>
    findTransitionInvocation(transition) ? [{ event, does: JSON.stringify(transition) }] : [],
  );
  return calls.flatMap(({ event, does }, index) => {
    const first = calls.slice(0, index).find((one) => one.does === does);
    if (!first) return [];
    return createFindingAt(locate('on', event))(explain`"${event}" does the same as "${first.event}".
      Correct the actions of the event, or use one event for both.`);
  });
});

const eventBlock = createStateLintRule('event/block', 'E', ({ state, screen, locate }, { contract }) => {
  const { block = '', on = {}, after } = state;
  const events = contract.blocks[block]?.events;
  if (!events) return null;
  const parts = screen ? [...(screen.ui.actions ?? []), ...listUiLinks(screen.ui).map(([, link]) => link)] : [];
  const raised = [...events, ...parts.flatMap(({ event }) => event ?? []), ...(after ? [after.event] : [])];
  const others = Object.keys(on).filter((event) => !raised.includes(event));
  return others.map((event) =>
    createFindingAt(locate('on', event))(explain`The block "${block}" does not raise "${event}".
      ${suggestSimilarName(event, raised)}It raises: ${listNearNames(event, raised)}.`),
  );
});

/** Keys of ui.json whose content a page shows. Omits the title, which lists of screens also show, and the notices, for which flows are responsible. */
const contentKeys = ['intro', 'review', 'fields', 'sections', 'actions', 'links', 'aside', 'tone', 'busy'] as const;

const uiBlock = createScreenLintRule('ui/block', 'W', ({ id, ui, files }, { flows, contract }) => {
  const uses = flows.flatMap(({ flow }) => Object.values(flow.states).filter(({ screen }) => screen === id));
  const blocks = [...new Set(uses.map(({ block }) => block))];
  const shown = blocks.map((block) => (block === undefined ? null : (contract.blocks[block]?.shows ?? null)));
  if (blocks.length === 0) return [];
  return contentKeys
    .filter((key) => ui[key] !== undefined && shown.every((keys) => keys?.includes(key) === false))
    .map((key) =>
      createFindingAt({ file: files.ui, pointer: `/${key}`, remove: true })(explain`
        The block "${blocks.join(', ')}" draws this page and does not show "${key}".
        Remove it. Only a developer can add it to the page.`),
    );
});

const eventSilent = createStateLintRule(
  'event/silent',
  'W',
  function* ({ name, state, screen, linted, locate }, subject) {
    const { flow, file, pointers } = linted;
    if (!screen || state.block !== undefined) return; // skip blocks, because the elements that their code renders are unknown
    const seen = findDependencies(screen.ui, state, (flow.progress ?? []).flat());
    if (seen === null || (subject.contract.changeableFacts ?? []).some((root) => seen.roots.has(root))) return;
    for (const [event, transition] of Object.entries(state.on ?? {})) {
      const effect = findTransitionInvocation(transition);
      if (!effect || !hasEventSource(screen.ui, event)) continue;
      for (const branch of effect.onDone.filter((one) => hasNoEffect(one, name, seen.variables)))
        yield createFindingAt({ file, pointer: pointers.get(branch) ?? locate('on', event).pointer })(explain`
        "${effect.src}" succeeds, but nothing changes on the screen: the person who raised "${event}" gets no feedback.
        Raise a "notice", target another state, or assign a variable that the screen shows.`);
    }
  },
);

/** Returns the variables and fact roots on which rendering a state depends. Returns `null` if it also depends on operation responses. */
function findDependencies(ui: ScreenUi, state: StateDefinition, steps: readonly JourneyStep[]) {
  if (/"source":/.test(JSON.stringify(ui.fields ?? {}))) return null;
  const uiJson = ui as unknown as Json; // cast: an interface is not assignable to `Json`
  const rules = [uiJson, state.after?.at, state.chrome, ...steps.map(({ guard }) => guard)];
  const paths = rules.flatMap((rule) => (rule === undefined ? [] : listPathsReadByLogic(rule)));
  const placeholders = listPlaceholders(JSON.stringify(ui));
  const inRules = paths.flatMap((path) => (path.startsWith('context.') ? (path.split('.')[1] ?? []) : []));
  return {
    variables: new Set([...placeholders, ...inRules]),
    roots: new Set([...placeholders, ...paths.map((path) => path.split('.')[0] ?? '')]),
  };
}

/** Whether an element of the screen raises the event. If not, only a delay raises it. */
function hasEventSource(ui: ScreenUi, event: string): boolean {
  return [...listScreenElements(ui), ...listUiLinks(ui).map(([, link]) => link)].some((part) => part.event === event);
}

function hasNoEffect(
  { target, challenge, leave, notice, clear = [], assign = {} }: TransitionBranch,
  name: string,
  shown: ReadonlySet<string>,
): boolean {
  const stays = (target === undefined || target === name) && challenge === undefined && leave === undefined;
  return stays && notice === undefined && clear.length === 0 && !Object.keys(assign).some((one) => shown.has(one));
}

const dataAddress = createScreenLintRule('data/address', 'W', function* ({ id, ui, files }, { flows }) {
  const shown = flows.filter(({ flow }) => Object.values(flow.states).some(({ screen }) => screen === id));
  const queryVariables = shown.flatMap(({ flow }) => listQueryVariables(flow));
  for (const [pointer, text] of indexTextsByPointer(ui as unknown as Json))
    for (const name of listPlaceholders(text).filter((one) => queryVariables.includes(one)))
      yield createFindingAt({ file: files.ui, pointer })(explain`
        This text shows "${name}" of the address: any link can change what it says.
        Use a code to choose one of your own texts.`);
});

const navStep = createScreenLintRule('nav/step', 'W', ({ id, ui, files }, { flows }) => {
  const uses = flows.flatMap(({ flow }) =>
    Object.entries(flow.states).flatMap(([name, state]) => (state.screen === id ? [{ flow, name, state }] : [])),
  );
  return listUiLinks(ui).flatMap(([pointer, { to, newTab }]) => {
    if (to === undefined || newTab === true) return [];
    const events = new Set(uses.map((use) => findEventTo(use, to)));
    const [event] = events;
    if (event === undefined || events.size > 1) return []; // skip a target that no event enters, or that different events enter in different states
    return createFindingAt({ file: files.ui, pointer: `${pointer}/to` })(explain`
      "${to}" is the target of the event "${event}": a link to its address skips the actions of the event.
      Write "event": "${event}" instead of "to".`);
  });
});

interface ScreenUse {
  readonly flow: Flow;
  readonly name: string;
  readonly state: StateDefinition;
}

/** Returns the event of a step that enters the previous or next step, if that step has the path `to`. */
function findEventTo({ flow, name, state }: ScreenUse, to: string): string | undefined {
  const way = listJourneyStateNames(flow, name);
  const position = way.indexOf(name);
  const target = findRoute(listFlowRoutes(flow), to.normalize('NFC'))?.route.state; // `undefined` for a link with a query string, which an event cannot replace
  if (target === undefined || position < 0 || (target !== way[position - 1] && target !== way[position + 1]))
    return undefined;
  const [led] = Object.entries(state.on ?? {}).find(([, transition]) => {
    const effect = findTransitionInvocation(transition);
    return (effect?.onDone ?? listDirectBranches(transition)).some((branch) => branch.target === target);
  }) ?? [target === (state.back ?? way[position - 1]) ? 'back' : undefined];
  return led;
}

const navLeave = createDefinitionsLintRule('nav/leave', 'E', function* ({ flows, screens }) {
  const routes = flows.flatMap(({ flow }) => listFlowRoutes(flow));
  for (const linted of flows)
    for (const [{ leave }, at] of listFlowBranches(linted))
      for (const { address, query } of listAddresses(leave))
        yield* checkAddress(address, query, routes, flows).map(
          createFindingAt({ file: linted.file, pointer: `${at}/leave` }),
        );
  for (const { ui, files } of screens.values())
    for (const [pointer, { to = '' }] of listUiLinks(ui))
      yield* checkAddress(to, [], routes, flows).map(createFindingAt({ file: files.ui, pointer: `${pointer}/to` }));
});

function checkAddress(
  address: string,
  query: readonly string[],
  routes: ReturnType<typeof listFlowRoutes>,
  flows: LintInput['flows'],
): readonly ProblemExplanation[] {
  if (!address.startsWith('/') || /\{\w+\}/.test(address)) return [];
  const [path = '', search = ''] = address.split('#')[0]?.split('?') ?? [];
  const unfilled = listPathParameters(path).map(
    (name) => explain`":${name}" of "${address}" gets no value.
      Build the address with "cat" and the value.`,
  );
  const found = findRoute(routes, path.normalize('NFC'));
  const target = flows.find(({ flow }) => flow.id === found?.route.flow)?.flow;
  if (!target) return unfilled;
  const declared = listQueryVariables(target);
  const lost = [...new URLSearchParams(search).keys(), ...query].filter((name) => !declared.includes(name));
  return [
    ...unfilled,
    ...lost.map(
      (name) => explain`The flow "${target.id}" does not read "${name}" of the address.
        ${suggestSimilarName(name, declared)}It reads: ${listNearNames(name, declared)}.`,
    ),
  ];
}

/** Returns the literal paths of a `leave`, with the names of their query parameters. */
function listAddresses(leave: Json | undefined): readonly { readonly address: string; readonly query: string[] }[] {
  if (typeof leave === 'string') return [{ address: leave, query: [] }];
  if (Array.isArray(leave)) return leave.flatMap((part: Json) => listAddresses(part));
  if (!isObject(leave)) return [];
  const { to, query, host } = leave as Record<string, Json>;
  if (host !== undefined) return []; // skip links to other hosts, whose pages are unknown
  if (typeof to === 'string') return [{ address: to, query: Object.keys(isObject(query) ? query : {}) }];
  if (to !== undefined) return listAddresses(to);
  const [[operator = '', operands = null] = []] = Object.entries(leave as Record<string, Json>);
  return ['if', 'or', 'and', '?:'].includes(operator) ? listAddresses(operands) : [];
}

/**
 * Reports a screen with an address that no transition, link or code opens. Skips states that only redirect, because they keep former addresses.
 */
const navOrphan = createDefinitionsLintRule('nav/orphan', 'W', ({ flows, screens, set, contract: { pages } }) => {
  if (!pages) return [];
  const files = [...set.flows, ...[...screens.values()].map(({ files }) => files.ui), ...set.shared.values()];
  const named = files.flatMap(({ value }) =>
    [...walkJson(value)].flatMap(([pointer, part]) =>
      typeof part === 'string' && part.startsWith('/') && !pointer.endsWith('/path')
        ? [part.replace(/[?#].*$/, '')]
        : [],
    ),
  );
  const opened = [...pages, ...new Set(named)];
  return flows.flatMap(({ flow, locate }) => {
    const reached = findReachableStates(
      flow,
      ({ path }) =>
        path !== undefined && opened.some((one) => matchPath(path, one) !== null || matchPath(one, path) !== null),
    );
    return Object.entries(flow.states)
      .filter(([name, { screen, path = '*' }]) => screen !== undefined && path !== '*' && !reached.has(name))
      .map(([name, { path = '' }]) =>
        createFindingAt(locate('states', name, 'path'))(explain`Nothing leads to the address "${path}".
          Write "${name}" as the target of a branch, link to the address, or remove the state.`),
      );
  });
});

export const navigationLintRules = [
  navLeave,
  navOrphan,
  navStep,
  dataAddress,
  eventBlock,
  eventTwice,
  eventSilent,
  uiBlock,
];
