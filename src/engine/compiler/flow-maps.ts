import type { TransitionBranch, Flow, StateDefinition, ScreenUi } from '../core/flow-and-screen-types.ts';
import { escapeHtml } from '../core/values/escape-html.ts';
import { findTransitionInvocation, listDirectBranches } from '../core/transition.ts';
import type { ServedDefinitions } from './definitions.ts';
import { exploreFlow } from './explore/explore-flow.ts';
import type { FlowExploration } from './explore/state-space.ts';
import { listUiLinks } from './screen/schema-fields.ts';

interface MapEdge {
  readonly label: string;
  readonly branch: TransitionBranch;
}

export function formatFlowMaps({ flows, screens, ui, schema }: ServedDefinitions, language: string): string {
  const byId = new Map([...screens].map((id) => [id, { ui: ui(id, language), schema: schema(id) }]));
  const maps = Object.values(flows).map((flow) =>
    formatFlow(flow, byId, exploreFlow(flow, { screens: byId, operations: {} })),
  );
  return `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Flows</title>\n<style>${styles}</style>\n${maps.join('')}</html>\n`;
}

const styles =
  'body{font:1rem/1.5 system-ui;max-width:60rem;margin:auto;padding:1rem}li{margin:.25rem 0}code{font-size:.85em}';

type Screens = ReadonlyMap<string, { readonly ui: ScreenUi }>;

function formatFlow(flow: Flow, screens: Screens, exploration: FlowExploration): string {
  const states = listInOrder(flow).map((name) => {
    const state = flow.states[name] ?? {};
    const mark = exploration.isCapped || exploration.admittedStates.has(name) ? '' : ` <b>never reached</b>`;
    const edges = listEdges(state, screens.get(state.screen ?? '')?.ui).map((edge) => {
      const isNever = exploration.candidateBranches.has(edge.branch) && !exploration.taken.has(edge.branch);
      return `<li>${formatEdge(flow, screens, edge)}${isNever && !exploration.isCapped ? ' <b>never taken</b>' : ''}</li>\n`;
    });
    const address = state.path === undefined ? '' : ` <code>${escapeHtml(state.path)}</code>`;
    return `<h3 id="${createAnchor(flow, name)}">${formatTitle(flow, screens, name)}${address}${mark}</h3>\n<ul>\n${edges.join('')}</ul>\n`;
  });
  return `<h2>${escapeHtml(flow.id)}</h2>\n${states.join('')}`;
}

/** Returns the states in breadth-first order from the initial state, then the states that only a URL opens. */
function listInOrder({ initial, states }: Flow): readonly string[] {
  const order = new Set([initial]);
  // the loop also visits the states that it adds
  for (const name of order)
    for (const { branch } of listEdges(states[name] ?? {}, undefined))
      if (branch.target !== undefined) order.add(branch.target);
  for (const name of Object.keys(states)) order.add(name);
  return [...order];
}

function listEdges(
  { always = [], invoke, on = {}, requires }: StateDefinition,
  ui: ScreenUi | undefined,
): readonly MapEdge[] {
  const listOutcomes = (label: string, effect: NonNullable<StateDefinition['invoke']>): readonly MapEdge[] => [
    ...effect.onDone.map((branch) => ({ label: `${label}: ${effect.src} succeeds`, branch })),
    ...effect.onError.map((branch) => ({ label: `${label}: ${effect.src} fails`, branch })),
  ];
  return [
    ...(requires ? [{ label: 'on entry', branch: { guard: { '!': [requires.guard] }, target: requires.else } }] : []),
    ...always.map((branch) => ({ label: 'on entry', branch })),
    ...(invoke ? listOutcomes('on entry', invoke) : []),
    ...Object.entries(on).flatMap(([event, transition]) => {
      const label = findEventText(ui, event) ?? event;
      const effect = findTransitionInvocation(transition);
      return effect ? listOutcomes(label, effect) : listDirectBranches(transition).map((branch) => ({ label, branch }));
    }),
  ];
}

function findEventText(ui: ScreenUi | undefined, event: string): string | undefined {
  const links = ui ? listUiLinks(ui).map(([, link]) => link) : [];
  return [...(ui?.actions ?? []), ...links].find((part) => part.event === event)?.text;
}

function formatEdge(flow: Flow, screens: Screens, { label, branch }: MapEdge): string {
  const { guard, target, leave, notice } = branch;
  const end =
    leave !== undefined
      ? `→ <code>${escapeHtml(JSON.stringify(leave))}</code>`
      : target === undefined
        ? `stays${notice === undefined ? '' : `, notice ${escapeHtml(notice)}`}`
        : `→ <a href="#${createAnchor(flow, target)}">${formatTitle(flow, screens, target)}</a>`;
  const condition = guard === undefined ? '' : ` if <code>${escapeHtml(JSON.stringify(guard))}</code>`;
  return `${escapeHtml(label)}${condition} ${end}`;
}

function formatTitle({ states }: Flow, screens: Screens, name: string): string {
  const title = screens.get(states[name]?.screen ?? '')?.ui.title;
  const text = typeof title === 'string' ? title : title?.[0]?.text;
  return escapeHtml(text === undefined ? name : `${text} (${name})`);
}

function createAnchor({ id }: Flow, state: string): string {
  return escapeHtml(`${id}.${state}`);
}
