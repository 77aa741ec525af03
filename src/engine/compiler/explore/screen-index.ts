import type {
  StateDefinition,
  ScreenUi,
  TransitionBranch,
  Flow,
  LogicTemplate,
  Transition,
} from '../../core/flow-and-screen-types.ts';
import { type JsonObject, isObject, type Json } from '../../core/json.ts';
import { unknownValueShape, type ValueShape } from './value-shapes.ts';
import { type FlowExplorationOptions, listJourneyStateNames } from './state-space.ts';
import { evaluateRuleAbstractly } from './evaluate-rules.ts';
import type { AbstractAssignment } from './abstract-assignment.ts';
import { isJsonLogicOperation, listPathsReadByLogic } from '../../core/json-logic.ts';
import { listPlaceholders } from '../../core/messages.ts';
import { listUiLinks } from '../screen/schema-fields.ts';
import { indexTextsByPointer } from '../shared/translation.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import { listDirectBranches, findTransitionInvocation } from '../../core/transition.ts';

export class ScreenIndex {
  readonly #byName: FlowExplorationOptions['screens'];
  readonly #parts = new Map<string, readonly ScreenElement[]>();

  constructor(byName: FlowExplorationOptions['screens']) {
    this.#byName = byName;
  }

  listDependencies({ screen = '' }: StateDefinition): readonly string[] {
    const ui = this.#byName.get(screen)?.ui;
    return ui ? listPathsReadByUi(ui) : [];
  }

  /** Returns the events that visible elements raise. Returns `null` for a block, whose code may raise any event. */
  listRaisedEvents(
    { screen = '', block, after }: StateDefinition,
    assignment: AbstractAssignment,
  ): ReadonlySet<string> | null {
    const ui = this.#byName.get(screen)?.ui;
    if (block !== undefined || !ui) return null;
    const parts = this.#parts.get(screen) ?? listScreenElements(ui);
    this.#parts.set(screen, parts);
    const visibleParts = parts.filter(
      ({ visible }) =>
        evaluateRuleAbstractly(visible, assignment.replaceRoots([['form', unknownValueShape]])) !== false,
    );
    const inNotices = Object.values(ui.notices ?? {}).flatMap(({ link, other }) => [link?.event, other?.event]);
    const raised = [...visibleParts.map(({ event }) => event), ...inNotices, after?.event];
    return new Set(raised.filter((event) => event !== undefined));
  }

  resolveFormShape({ screen = '', block }: StateDefinition, event: string): ValueShape {
    const schema = this.#byName.get(screen)?.schema;
    return event === 'submit' && block === undefined && schema ? { schema, optional: false } : unknownValueShape;
  }

  hasFields(state: StateDefinition | undefined): boolean {
    const properties = this.#byName.get(state?.screen ?? '')?.schema?.['properties'];
    return Object.keys((properties as JsonObject | undefined) ?? {}).length > 0;
  }
}

interface ScreenElement {
  readonly pointer: string;
  readonly visible?: Json;
  readonly event?: string;
  readonly leads: boolean;
  readonly texts: readonly (readonly [pointer: string, text: string])[];
}

/** Returns the elements of a screen that are shown or hidden as a unit. Omits fields and notices. */
export function listScreenElements(ui: ScreenUi): readonly ScreenElement[] {
  const { notices: _, messages: __, fields: ___, ...seen } = ui;
  const found: ScreenElement[] = [];
  const visit = (node: unknown, pointer: string, around: Json | undefined): void => {
    if (Array.isArray(node)) return node.forEach((item, index) => visit(item, `${pointer}/${index}`, around));
    if (!isObject(node)) return;
    const own = 'visible' in node && pointer !== '' ? (node['visible'] as Json) : undefined; // cast: the format check ensured that "visible" is JSON-logic
    const visible = own === undefined ? around : around === undefined ? own : { and: [around, own] };
    const isText = ['text', 'title', 'event'].some((key) => typeof node[key] === 'string');
    if (isText && pointer !== '') {
      const event = node['event'];
      found.push({
        pointer,
        ...(visible === undefined ? {} : { visible }),
        ...(typeof event === 'string' ? { event } : {}),
        leads: typeof event === 'string' || typeof node['to'] === 'string',
        texts: listElementTexts(node, pointer),
      });
    }
    for (const [key, part] of Object.entries(node))
      if (key !== 'visible') visit(part, `${pointer}/${escapePointer(key)}`, visible);
  };
  const elementTexts = listElementTexts(seen, '');
  if (elementTexts.length > 0) found.push({ pointer: '', leads: false, texts: elementTexts });
  visit(seen, '', undefined);
  return found;
}

export function listNoticeTexts(ui: ScreenUi, name: string): ScreenElement['texts'] {
  const notice = ui.notices?.[name];
  return notice ? [...indexTextsByPointer(notice as unknown as Json, `/notices/${escapePointer(name)}`)] : []; // cast: an interface is not assignable to `Json`
}

export function listPathsReadByUi(ui: ScreenUi): readonly string[] {
  const rules = Object.values(ui.visible ?? {}).flatMap((rule) => listPathsReadByLogic(rule));
  const inParts = listScreenElements(ui).flatMap(({ visible }) =>
    visible === undefined ? [] : listPathsReadByLogic(visible),
  );
  const textPlaceholders = [...indexTextsByPointer(ui as unknown as Json).values()].flatMap((text) =>
    listPlaceholders(text),
  ); // cast: an interface is not assignable to `Json`
  const targets = listUiLinks(ui).flatMap(([, { to = '' }]) => listPlaceholders(to));
  return [...rules, ...inParts, ...[...textPlaceholders, ...targets].map((name) => `context.${name}`)].filter(
    (path) => !path.startsWith('form'),
  );
}

function listElementTexts(node: Record<string, unknown>, pointer: string): ScreenElement['texts'] {
  return ['title', 'intro', 'text', 'busy', 'step'].flatMap((key) => {
    const text = node[key];
    return typeof text === 'string' && !isJsonLogicOperation(text) ? [[`${pointer}/${key}`, text] as const] : [];
  });
}

/** Live-variable analysis: whether a path may be read after a state, before its next assignment. Dropping other values makes most nodes equal. */
export function findLiveVariables(flow: Flow, drawn: (state: StateDefinition) => readonly string[]) {
  const names = Object.keys(flow.states);
  const live = new Map(names.map((name) => [name, new Set<string>()]));
  const listLiveVariables = (name: string | undefined): Iterable<string> =>
    name === undefined ? [] : (live.get(name) ?? []);
  const listLiveAfter = (branch: TransitionBranch, stays: string): Set<string> => {
    const reads = new Set<string>([
      ...listLiveVariables(branch.target ?? stays),
      ...(branch.challenge === undefined
        ? []
        : Object.values(flow.challenges ?? {}).flatMap((name) => [...listLiveVariables(name)])),
    ]);
    const assigned = Object.entries(branch.assign ?? {});
    const needed = assigned.filter(([name]) => reads.has(`context.${name}`));
    for (const [name] of assigned) reads.delete(`context.${name}`);
    for (const [, template] of needed) for (const path of listPathsReadByLogic(template)) reads.add(path);
    for (const path of [...listPaths(branch.guard), ...listPaths(branch.challenge)]) reads.add(path);
    return reads;
  };
  const listVariablesAfter = (transition: Transition, name: string) => {
    const effect = findTransitionInvocation(transition);
    const branches = effect ? [...effect.onDone, ...effect.onError] : listDirectBranches(transition);
    return branches.flatMap((branch) => [...listLiveAfter(branch, name)]);
  };
  const listLiveInState = (name: string, state: StateDefinition): readonly string[] => [
    ...drawn(state),
    ...listPaths(state.requires?.guard),
    ...listLiveVariables(state.requires?.else),
    ...(state.always ?? []).flatMap((branch) => [...listLiveAfter(branch, name)]),
    ...(state.invoke ? listVariablesAfter(state.invoke, name) : []),
    ...Object.values(state.on ?? {}).flatMap((transition) => listVariablesAfter(transition, name)),
    ...listLiveVariables(state.back),
    ...listJourneyStateNames(flow, name).flatMap((other) => [...listLiveVariables(other)]),
  ];
  for (let grown = true; grown;) {
    grown = false;
    for (const [name, state] of Object.entries(flow.states)) {
      const known = live.get(name);
      const before = known?.size;
      for (const path of listLiveInState(name, state)) known?.add(path);
      grown ||= known?.size !== before;
    }
  }
  const readers = new Map(names.map((name) => [name, createReader([...(live.get(name) ?? [])])]));
  return (state: string): ((path: string) => boolean) => readers.get(state) ?? (() => false);
}
/** Whether a path, an ancestor or a descendant of it is among `reads`. Cached, because the same few paths are looked up again and again. */
function createReader(reads: readonly string[]): (path: string) => boolean {
  const answers = new Map<string, boolean>();
  const isRead = (path: string) =>
    reads.some((read) => read === path || read.startsWith(`${path}.`) || path.startsWith(`${read}.`));
  return (path) => {
    const answer = answers.get(path) ?? isRead(path);
    answers.set(path, answer);
    return answer;
  };
}

function listPaths(template: LogicTemplate | undefined): readonly string[] {
  return template === undefined ? [] : listPathsReadByLogic(template);
}
