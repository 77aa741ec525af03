import type { Branch, Effect, Flow, State, Transition } from '../core/definition.ts';
import { escapePointer, type Problems, type SourceFile } from './source-file.ts';

/** In a list of branches: those that the flow has under a name, in this place. */
interface NamedBranches {
  readonly branches: string;
}

type Written = readonly (Branch | NamedBranches)[];

/** A flow as it runs, and where the branches stand that are not where they are used. */
export interface SpreadFlow {
  readonly flow: Flow;
  /** Pointer into the file by branch, for the lists that take in named ones. */
  readonly pointers: ReadonlyMap<Branch, string>;
}

/** Puts the named branches of a flow where they are used, so that what several events share is written once. */
export function spreadBranches(file: SourceFile, written: Flow, problems: Problems): SpreadFlow {
  const { branches: named = {}, ...flow } = written as Flow & {
    readonly branches?: Readonly<Record<string, readonly Branch[]>>;
  };
  const pointers = new Map<Branch, string>();
  const used = new Set<string>();

  const list = (branches: Written, at: string): readonly Branch[] => {
    if (!branches.some(isNamed)) return branches as readonly Branch[]; // none is named
    return branches.flatMap((branch, index) => {
      if (!isNamed(branch)) return note(branch, `${at}/${index}`);
      const { branches: name } = branch;
      used.add(name);
      if (!Object.hasOwn(named, name))
        problems.add(
          file,
          `${at}/${index}/branches`,
          `The flow has no branches "${name}".`,
          `Write them into "branches" of the flow: ${Object.keys(named).join(', ') || 'there are none'}.`,
        );
      return (named[name] ?? []).flatMap((own, place) => note(own, `/branches/${escapePointer(name)}/${place}`));
    });
  };
  const note = (branch: Branch, pointer: string): Branch => {
    pointers.set(branch, pointer);
    return branch;
  };
  const effect = (own: Effect, at: string): Effect => ({
    ...own,
    onDone: list(own.onDone, `${at}/onDone`),
    ...('onError' in own ? { onError: list(own.onError, `${at}/onError`) } : {}),
  });
  const transition = (own: Transition, at: string): Transition => {
    if ('invoke' in own) return effect(own, at);
    return Array.isArray(own) ? list(own as Written, at) : own;
  };
  const state = (own: State, at: string): State => ({
    ...own,
    ...(own.always ? { always: list(own.always, `${at}/always`) } : {}),
    ...(own.invoke ? { invoke: effect(own.invoke, `${at}/invoke`) } : {}),
    ...(own.on
      ? {
          on: Object.fromEntries(
            Object.entries(own.on).map(([event, next]) => [
              event,
              transition(next, `${at}/on/${escapePointer(event)}`),
            ]),
          ),
        }
      : {}),
  });

  const states = Object.fromEntries(
    Object.entries(flow.states).map(([name, own]) => [name, state(own, `/states/${escapePointer(name)}`)]),
  );
  const onError = flow.onError && list(flow.onError, '/onError');
  for (const name of Object.keys(named)) {
    if (!used.has(name))
      problems.add(
        file,
        `/branches/${escapePointer(name)}`,
        `Nothing takes in the branches "${name}".`,
        `Use them as { "branches": "${name}" } in a list of branches, or remove them.`,
      );
  }
  return { flow: { ...flow, states, ...(onError ? { onError } : {}) }, pointers };
}

function isNamed(branch: Branch | NamedBranches): branch is NamedBranches {
  return 'branches' in branch;
}
