import type { JsonLogic } from '../../core/flow-and-screen-types.ts';
import { type Json, isObject } from '../../core/json.ts';
import type { ProblemReporter } from '../sources/problem-collector.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import {
  expandGuardCondition,
  variablePathPattern,
  type NamedFlowDefinitions,
  type UnexpandedFlow,
} from './unexpanded-flow-types.ts';
import { explain, localize, type LocalizedText, suggestSimilarOrKnownNames } from '../sources/localized-text.ts';

/** Placeholder for a missing guard. The placeholder is a valid condition, so that the missing guard causes no further problems. */
const missingGuard: JsonLogic = { '!': [false] };

const namePattern = /^[a-z][\w-]*$/i;

/**
 * Returns a function that expands a guard: a rule, or the name of a variable, guard or fact. Without `facts`, any unknown name is a fact. Adds the
 * location of each named guard to `uses`, by the location of its use.
 */
export function createGuardExpander(
  names: NamedDefinitionLookup,
  facts: readonly string[] | undefined,
  report: ProblemReporter,
  uses: Map<string, string> = new Map(),
): (written: JsonLogic, at: string) => JsonLogic {
  const open = new Set<string>(); // named guards being expanded, to detect recursion
  const expand = (written: JsonLogic, at: string): JsonLogic => expandGuardCondition(written, at, expandText);
  const expandText = (text: string, at: string): JsonLogic => {
    const defined = names.find('guards', text);
    if (defined !== undefined) return expandNamed(text, defined, at);
    if (facts ? facts.includes(text) : namePattern.test(text)) return { var: text };
    const others = facts?.filter((fact) => !fact.includes('.'));
    if (namePattern.test(text)) names.reportMissing('guards', text, at, others);
    else
      report(at)({
        message:
          text === ''
            ? localize`${JSON.stringify(text)} is not a condition: it would never be true.`
            : localize`${JSON.stringify(text)} is not a condition: it would always be true.`,
        hint: suggestGuard(text),
      });
    return missingGuard;
  };
  const expandNamed = (text: string, defined: JsonLogic, at: string): JsonLogic => {
    if (open.has(text)) {
      report(at)(explain`The guard "${text}" refers to itself.
        Use another guard, or write out the condition.`);
      return missingGuard;
    }
    open.add(text);
    const own = `/guards/${escapePointer(text)}`;
    uses.set(at, own);
    if (facts?.includes(text))
      report(own)(explain`"${text}" is already a fact.
        Give the guard another name, so that the two are not confused.`);
    const isDescribed = isObject(defined) && defined.guard !== undefined;
    const expanded = isDescribed ? expand(defined.guard as Json, `${own}/guard`) : expand(defined, own);
    open.delete(text);
    return expanded;
  };
  return expand;
}

function suggestGuard(text: string): LocalizedText {
  const bare = text.trim().replace(/^!+\s*/, '');
  const isNot = text.trim().startsWith('!');
  if (variablePathPattern.test(bare) || namePattern.test(bare))
    return localize`Write ${isNot ? `{ "!": "${bare}" }` : `"${bare}"`}.`;
  return localize`Write the name of a value ("context.token": letters, digits and _), of one of "guards", or a rule in JSON-logic.`;
}

type Kind = keyof NamedFlowDefinitions;

const usageExamples: Readonly<Record<Kind, (name: string) => string>> = {
  guards: (name) => `"guard": "${name}"`,
  params: (name) => `"params": "${name}"`,
  inputs: (name) => `"input": "${name}"`,
  assigns: (name) => `"assign": "${name}"`,
  branches: (name) => `{ "branches": "${name}" }`,
  operations: (name) => `"src": "${name}"`,
  delays: (name) => `"after": { "${name}": … }`,
};

export type NamedDefinitionLookup = ReturnType<typeof createNamedDefinitionLookup>;

export function createNamedDefinitionLookup(flow: UnexpandedFlow, report: ProblemReporter) {
  const used = new Set<string>();
  const find = <K extends Kind>(kind: K, name: string): NamedFlowDefinitions[K] | undefined => {
    used.add(`${kind} ${name}`);
    const known = (flow[kind] ?? {}) as Readonly<Record<string, NamedFlowDefinitions[K]>>; // cast: TypeScript cannot relate the kind to the type of its table
    return Object.hasOwn(known, name) ? known[name] : undefined;
  };
  const reportMissing = (kind: Kind, name: string, pointer: string, others: readonly string[] = []): void => {
    const known = [...Object.keys(flow[kind] ?? {}), ...others];
    report(pointer)(explain`The flow has no ${kind} "${name}".
      ${suggestSimilarOrKnownNames(name, known)}`);
  };
  return {
    find,
    reportMissing,
    take<K extends Kind>(kind: K, name: string, pointer: string): NamedFlowDefinitions[K] | undefined {
      const found = find(kind, name);
      if (found === undefined) reportMissing(kind, name, pointer);
      return found;
    },
    reportUnused(): void {
      for (const kind of Object.keys(usageExamples) as Kind[])
        for (const name of Object.keys(flow[kind] ?? {}))
          if (!used.has(`${kind} ${name}`))
            report(`/${kind}/${escapePointer(name)}`)(explain`Nothing uses "${name}" of "${kind}".
              Use it as ${usageExamples[kind](name)}, or remove it.`);
    },
  };
}
