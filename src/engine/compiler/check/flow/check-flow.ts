import type { ExpandedFlow } from '../../flow/expand-flow.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import type { ProblemReporter, ProblemCollector } from '../../sources/problem-collector.ts';
import { createFlowCheckContext, type FlowCheckContext, type FlowCheckOptions } from './flow-check-context.ts';
import { checkJourneySteps } from './check-journey-steps.ts';
import { checkStateDefinition } from './check-state-definition.ts';
import { explain, findNearestName, suggestSimilarName } from '../../sources/localized-text.ts';
import {
  isDeclaredInContext,
  listVariablesReadByFlow,
  listStateBranches,
  listStateInvocations,
  listScreensOfSavedJourneys,
  findReachableStates,
} from '../../flow/flow-queries.ts';
import type { Flow } from '../../../core/flow-and-screen-types.ts';
import { isUnconditionalBranch } from '../../flow/unexpanded-flow-types.ts';
import { listPathParameters, matchPath } from '../../../core/route.ts';
import { anyoneAccess } from '../../../core/definitions-manifest.ts';
import { parseFieldPointer } from '../../../core/field-path.ts';
import { flattenFields } from '../../screen/schema-fields.ts';
import { listPathsReadByLogic } from '../../../core/json-logic.ts';

export function checkFlow(expanded: ExpandedFlow, around: FlowCheckOptions, report: ProblemReporter): void {
  const check = createFlowCheckContext(expanded, around, report);
  const { initial, states, challenges = {} } = expanded.flow;
  check.target('/initial', initial);
  for (const [name, target] of Object.entries(challenges)) check.target(`/challenges/${escapePointer(name)}`, target);
  for (const [name, state] of Object.entries(states)) checkStateDefinition(check, name, state);
  const isScreenUnknown = Object.values(states).some(
    ({ screen }) => screen !== undefined && !around.screens.has(screen),
  );
  if (!isScreenUnknown) {
    checkJourneySteps(check);
    checkSave(check);
  }
  checkPathVariables(check);
  checkAssigned(check);
  for (const [first = '', ...more] of findEndlessLoops(expanded.flow)) {
    report(
      `/states/${escapePointer(first)}`,
    )(explain`The flow loops without end: ${[first, ...more, first].join(' → ')}.
      Make one of these states show a screen, or target another state.`);
  }
  const reached = findReachableStates(expanded.flow, ({ path }) => path !== undefined);
  if ([...reached].some((name) => !Object.hasOwn(states, name))) return; // an unknown target, reported elsewhere, may be a misspelt one of an unreachable state
  for (const name of Object.keys(states)) {
    if (reached.has(name)) continue;
    const copied = findCopiedEvent(expanded.flow);
    if (copied)
      report(
        copied.pointer,
      )(explain`"${copied.event}" does the same as "${copied.first}", and nothing leads to the state "${name}".
        Write "${name}" as the target of one of them, or remove the state.`);
    else
      report(`/states/${escapePointer(name)}`)(explain`Nothing leads to the state "${name}".
        Give it a path, target it, or remove it.`);
  }
}

/** Returns the only event that does the same as another one of its state. Returns `undefined` if there are none or several. */
function findCopiedEvent({ states }: Flow) {
  const copies = Object.entries(states).flatMap(([name, { on = {} }]) =>
    Object.entries(on).flatMap(([event, transition], index, all) => {
      const first = all.slice(0, index).find(([, other]) => JSON.stringify(other) === JSON.stringify(transition));
      const pointer = `/states/${escapePointer(name)}/on/${escapePointer(event)}`;
      return first ? [{ event, first: first[0], pointer }] : [];
    }),
  );
  return copies.length === 1 ? copies[0] : undefined;
}

/**
 * Reports variables that are assigned but never read, and whose name is similar to the name of another variable. If no flow has this other variable, and
 * the assigned value has the name of the variable, then its reader is misspelt, and reported elsewhere. The code of a block may read any variable, so in
 * a flow with a block, names are only compared with those in `context`.
 */
function checkAssigned({ flow, around, report }: FlowCheckContext): void {
  const variables = Object.entries(flow.context ?? {});
  const declared = variables.flatMap(([name, variable]) => (isDeclaredInContext(variable) ? [name] : []));
  const read = listVariablesReadByFlow(flow, (screen) => around.screens.get(screen)?.ui);
  const isOpen = Object.values(flow.states).some(({ block }) => block !== undefined);
  for (const [name] of variables) {
    if (declared.includes(name) || read.has(name)) continue;
    const nearest = findNearestName(name, isOpen ? declared : [...declared, ...read]);
    const isReaderMisspelt =
      !variables.some(([other]) => other === nearest) && listSourceNames(flow, name).includes(name);
    if (nearest !== undefined && !isReaderMisspelt)
      report(`/context/${escapePointer(name)}`)(explain`"${name}" is assigned, but nothing reads it.
        Did you mean "${nearest}"? Declare a variable that only a block reads in "defaults" of "context".`);
  }
}

/** Returns the last segments of the paths from which a variable is assigned. */
function listSourceNames({ states }: Flow, variable: string): readonly string[] {
  const assigned = Object.values(states)
    .flatMap(listStateBranches)
    .map(({ assign = {} }) => assign[variable] ?? null);
  return assigned.flatMap((value) => listPathsReadByLogic(value)).map((path) => path.split('.').at(-1) ?? '');
}

/**
 * Finds endless loops: cycles of unconditional transitions, and states whose `requires` or `always` targets the state itself. Allows cycles through
 * guards, because two states often use mutually exclusive `requires` to separate users.
 */
function findEndlessLoops({ states }: Flow): readonly (readonly string[])[] {
  const next = (name: string): readonly string[] => {
    const { requires, always = [] } = states[name] ?? {};
    const [first] = always;
    const on = first && isUnconditionalBranch(first) && first.leave === undefined ? [first.target] : [];
    const back = [requires?.else, ...always.map(({ target }) => target)].filter((target) => target === name);
    return [...new Set([...on, ...back])].filter((target) => target !== undefined);
  };
  const circles: (readonly string[])[] = [];
  const done = new Set<string>();
  const walk = (name: string, trail: readonly string[]): void => {
    const start = trail.indexOf(name);
    if (start >= 0) return void circles.push(trail.slice(start));
    if (done.has(name)) return;
    for (const state of next(name)) walk(state, [...trail, name]);
    done.add(name);
  };
  for (const name of Object.keys(states)) walk(name, []);
  return circles;
}

function checkPathVariables({ flow, report }: FlowCheckContext): void {
  const declaredNames = new Set<string>();
  const variables = Object.entries(flow.context ?? {}).flatMap(([name, { from }]) => (from === 'path' ? [name] : []));
  for (const [state, { path = '' }] of Object.entries(flow.states)) {
    for (const name of listPathParameters(path)) {
      declaredNames.add(name);
      if (flow.context?.[name]?.from === 'path') continue;
      const meant = findNearestName(name, variables);
      if (meant !== undefined) declaredNames.add(meant);
      report(`/states/${escapePointer(state)}/path`)(explain`The parameter ":${name}" is not a variable of the flow.
        ${suggestSimilarName(name, variables)}Write "${name}" in "path" of "context".`);
    }
  }
  for (const name of variables) {
    if (!declaredNames.has(name))
      report(`/context/${escapePointer(name)}`)(explain`No path has the parameter ":${name}".
        Add it to a path, or remove the variable.`);
  }
}

/** Checks `save`: the flow has steps, the steps require a sign-in, one step ends the journey, and the notices exist. */
function checkSave(check: FlowCheckContext): void {
  const { flow, report } = check;
  const { save, progress, context = {} } = flow;
  if (save && !progress)
    return report('/save')(explain`The flow has no steps that could be saved.
      Name them in "progress", or remove "save".`);
  for (const [name, { saved }] of save ? [] : Object.entries(context))
    if (saved)
      report(`/context/${name}`)(explain`"${name}" is not saved: the flow saves nothing.
        Add "save", or remove the variable from "saved".`);
  if (!save) return;
  checkSteps(check);
  checkNotices(check);
  checkUnsavedFields(check, save.without ?? []);
}

function checkSteps({ around: { access = {} }, flow, report }: FlowCheckContext): void {
  const steps = (flow.progress ?? []).flat();
  const words = steps.flatMap(({ state }) => flow.states[state]?.access ?? []);
  const unknown = words.find((word) => word !== anyoneAccess && !access[word]?.isIdentified);
  if (unknown !== undefined)
    return report('/save')(explain`A step is for "${unknown}", but progress is saved only for people who are signed in.
      Remove "save".`);
  if (!steps.some(({ state }) => listStateInvocations(flow.states[state] ?? {}).some((effect) => effect.progress)))
    report('/save')(explain`
      The saved progress would never be deleted: no step sends the forms of the journey.
      Write "input": "progress" in the operation that ends it.`);
}

function checkNotices({ around, flow, missingNotice }: FlowCheckContext): void {
  const { resumed = '', refused = '' } = flow.save ?? {};
  for (const id of listScreensOfSavedJourneys(flow))
    for (const [word, name] of Object.entries({ resumed, refused }))
      if (!Object.hasOwn(around.screens.get(id)?.ui.notices ?? {}, name))
        missingNotice(
          `/save/${word}`,
          name,
          explain`The screen "${id}" has no notice "${name}".
          ${suggestSimilarName(name, Object.keys(around.screens.get(id)?.ui.notices ?? {}))}Add it to schemas/_shared/notices.json, which every step uses.`,
        );
}

function checkUnsavedFields({ around, flow, report }: FlowCheckContext, pointers: readonly string[]): void {
  const fields = new Map(
    [...listScreensOfSavedJourneys(flow)].flatMap((id) =>
      Object.entries(flattenFields(around.screens.get(id)?.schema ?? {})),
    ),
  );
  pointers.forEach((pointer, index) => {
    const name = parseFieldPointer(pointer);
    const within = [...fields].filter(([field]) => field === name || field.startsWith(`${name}.`));
    if (within.length === 0)
      report(`/save/without/${index}`)(explain`No step asks for "${name}".
        ${suggestSimilarName(name, [...fields.keys()])}Name a field of a step.`);
    else if (within.every(([, { writeOnly }]) => writeOnly === true))
      report(`/save/without/${index}`)(explain`The secret "${name}" is never saved.
        Remove it here.`);
  });
}

/** Checks that no two states have the same path, and that the pages to which the server links exist. Returns all paths. */
export function checkFlowPaths(
  flows: readonly { readonly report: ProblemReporter; readonly flow: Flow }[],
  pages: readonly string[],
  problems: ProblemCollector,
): ReadonlySet<string> {
  const owners = new Map<string, { readonly report: ProblemReporter; readonly flow: Flow; readonly name: string }>();
  let hasRepeatedPath = false;
  for (const { report, flow } of flows) {
    const repeated = new Map<string, { readonly name: string; readonly path: string; readonly owner: string }[]>();
    for (const [name, { path }] of Object.entries(flow.states)) {
      const usual =
        path === undefined || path === '/' ? path : path.toLowerCase().replaceAll(/\s+/g, '-').replace(/\/+$/, '');
      if (path !== undefined && path.replace(/:\w+/g, '') !== usual?.replace(/:\w+/g, ''))
        report(`/states/${escapePointer(name)}/path`)(explain`
          The path "${path}" has a capital letter, a space or a trailing slash: people who type it do not reach it.
          Write "${usual ?? ''}".`);
      const shape = path?.replace(/:\w+/g, ':');
      const other = shape === undefined ? undefined : owners.get(shape);
      if (other) {
        hasRepeatedPath = true;
        const owner = `${other.flow.id}.${other.name}`;
        repeated.set(other.flow.id, [...(repeated.get(other.flow.id) ?? []), { name, path: path ?? '', owner }]);
      }
      if (shape !== undefined) owners.set(shape, { report, flow, name });
    }
    for (const [other, [first, ...more]] of repeated) {
      const reportFirst = report(`/states/${escapePointer(first?.name ?? '')}/path`);
      if (more.length === 0)
        reportFirst(explain`The path "${first?.path ?? ''}" already belongs to ${first?.owner ?? ''}.
          Give each state its own path.`);
      else
        reportFirst(explain`${more.length + 1} paths of this flow already belong to the flow "${other}", e.g. "${first?.path ?? ''}".
          Give each state its own path, or remove the copy.`);
    }
  }
  const paths = [...owners.keys()];
  const missing = pages.filter((page) => !paths.some((path) => matchPath(path, page) !== null));
  for (const page of hasRepeatedPath ? [] : missing) {
    // a repeated path probably replaced the missing one
    const renamed = findNearestName(
      page,
      paths.filter((path) => !pages.includes(path)),
    );
    const owner = owners.get(renamed ?? '');
    const report = owner
      ? owner.report(`/states/${escapePointer(owner.name)}/path`)
      : problems.report({ path: 'flows', text: '', tree: undefined })('');
    report(explain`
      No flow has the path "${page}", to which the server links.
      Give the path back to its state: code links to it.`);
  }
  return new Set([...paths, ...missing]); // includes missing pages, so that links to them are not reported in addition
}
