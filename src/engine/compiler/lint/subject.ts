import type { Branch, Effect, Flow, State, Step, Ui } from '../../core/definition.ts';
import type { JsonObject } from '../../core/json.ts';
import { findEffect } from '../../core/transition.ts';
import type { FileSet, ScreenFiles } from '../files/read-set.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import type { SourceFile } from '../sources/source-file.ts';
import { listStateBranches } from '../flow/flow-parts.ts';
import type { Exploration } from '../explore/node.ts';
import type { LintOptions } from './options.ts';
import type { Localized } from '../localized.ts';
import type { Edit, Severity } from '../definitions.ts';

export interface LintedFlow {
  readonly flow: Flow;
  readonly file: SourceFile;
  readonly pointers: ReadonlyMap<Branch | Step, string>;
  readonly toSourcePointer: (pointer: string) => string;
  readonly exploration: Exploration;
}

export interface LintedScreen {
  readonly id: string;
  readonly files: ScreenFiles;
  readonly schema: JsonObject | null;
  readonly ui: Ui;
  readonly uis: ReadonlyMap<string, Ui>;
}

export interface Subject {
  readonly set: FileSet;
  readonly flows: readonly LintedFlow[];
  readonly screens: ReadonlyMap<string, LintedScreen>;
  readonly contract: LintOptions;
}

export interface LocatedEffect {
  readonly state: State;
  readonly name: string;
  readonly effect: Effect;
  /** JSON pointer in the file. */
  readonly at: string;
}

export function listFlowEffects({ flow, toSourcePointer }: LintedFlow): readonly LocatedEffect[] {
  return Object.entries(flow.states).flatMap(([name, state]) => {
    const at = `/states/${escapePointer(name)}`;
    const own = state.invoke ? [{ effect: state.invoke, at: toSourcePointer(`${at}/invoke`) }] : [];
    const ofEvents = Object.entries(state.on ?? {}).flatMap(([event, transition]) => {
      const effect = findEffect(transition);
      return effect ? [{ effect, at: toSourcePointer(`${at}/on/${escapePointer(event)}`) }] : [];
    });
    return [...own, ...ofEvents].map((placed) => ({ ...placed, state, name }));
  });
}

/** Returns every branch of a flow with its location. Branches that the engine adds are omitted. */
export function branchesIn({ flow, pointers }: LintedFlow): readonly (readonly [branch: Branch, at: string])[] {
  const all = Object.values(flow.states).flatMap(listStateBranches);
  return [...new Set(all)].flatMap((branch) => {
    const at = pointers.get(branch);
    return at === undefined ? [] : [[branch, at] as const];
  });
}

/** Like `Map.groupBy`, which Node 20 lacks. */
export function groupBy<Thing>(
  things: Iterable<Thing>,
  keyOf: (thing: Thing) => string,
): ReadonlyMap<string, readonly Thing[]> {
  const groups = new Map<string, Thing[]>();
  for (const thing of things) groups.set(keyOf(thing), [...(groups.get(keyOf(thing)) ?? []), thing]);
  return groups;
}

export interface Finding {
  readonly file: Pick<SourceFile, 'path' | 'text' | 'tree'>;
  readonly pointer: string;
  readonly message: Localized;
  readonly hint: Localized;
  /** Shortest path that shows the problem. */
  readonly walk?: string;
  readonly related?: readonly { readonly file: string; readonly pointer: string }[];
  readonly fix?: readonly Edit[];
}

/** A lint rule. Its id never changes. */
export interface LintRule<Subject> {
  readonly id: string;
  readonly severity: Severity;
  readonly find: (subject: Subject) => Iterable<Finding>;
}

/** A rule that checks all definitions together. */
export function setRule(id: string, severity: Severity, find: LintRule<Subject>['find']): LintRule<Subject> {
  return { id, severity, find };
}

type Check<Part> = (part: Part, subject: Subject) => readonly Finding[];

export function flowRule(id: string, severity: Severity, check: Check<LintedFlow>): LintRule<Subject> {
  return setRule(id, severity, (subject) => subject.flows.flatMap((flow) => check(flow, subject)));
}

export function screenRule(id: string, severity: Severity, check: Check<LintedScreen>): LintRule<Subject> {
  return setRule(id, severity, (subject) => [...subject.screens.values()].flatMap((screen) => check(screen, subject)));
}
