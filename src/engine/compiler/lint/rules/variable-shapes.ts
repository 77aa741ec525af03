import { isJsonLogicOperation, listPathsReadByLogic } from '../../../core/json-logic.ts';
import type { LogicTemplate } from '../../../core/flow-and-screen-types.ts';
import type { Json } from '../../../core/json.ts';
import { listStateBranches } from '../../flow/flow-queries.ts';
import { findShapeAtPath, listPossibleValuesOfShape, type ValueShape } from '../../explore/value-shapes.ts';
import { listOutcomes, listResponseShapes, type LintedFlow, type LintInput } from '../lint-input.ts';

/** Shapes of variables, by path, e.g. `context.obstaculo`. */
type VariableShapes = ReadonlyMap<string, readonly ValueShape[]>;

/** Returns a function that returns the shapes of a value in the responses that a part of a flow reads. */
export function createResultLookup(linted: LintedFlow, { contract: { operations } }: LintInput) {
  const outcomes = listOutcomes(linted, 'onDone').map((outcome) => ({
    ...outcome,
    reads: listPathsReadByLogic(outcome.branch.guard ?? null),
  }));
  return (path: string, pointer: string): readonly ValueShape[] => {
    const own = outcomes.filter(({ at }) => `${pointer}/`.startsWith(`${at}/`));
    // A comparison outside of the branches is in a named guard. It applies to all branches whose guard reads the path.
    const readers = outcomes.filter(({ reads }) => reads.includes(path));
    const sources = (own.length > 0 ? own : readers).flatMap((outcome) => outcome.sources);
    const steps = path.split('.').slice(1);
    return listResponseShapes(sources, operations).flatMap((shape) => findShapeAtPath(shape, steps) ?? []);
  };
}

/** Returns the possible values of the variables to which a flow assigns only literals, and facts or results with known choices. */
export function indexVariableShapes(linted: LintedFlow, subject: LintInput): VariableShapes {
  const { flow, pointers } = linted;
  const findResultShapes = createResultLookup(linted, subject);
  const listChoices = (template: LogicTemplate, at: string): readonly Json[] | null => {
    if (template === null) return [];
    if (['string', 'number', 'boolean'].includes(typeof template)) return [template as Json]; // cast: a literal
    const path = isJsonLogicOperation(template) ? template['var'] : undefined;
    if (typeof path !== 'string') return null;
    const [root = '', ...steps] = path.split('.');
    const fact = subject.contract.factShapes?.[root];
    const ofFact = fact ? findShapeAtPath({ schema: fact, optional: true }, steps) : null;
    const shapes = root === 'result' ? findResultShapes(path, at) : ofFact ? [ofFact] : [];
    const choices = shapes.map(listPossibleValuesOfShape);
    return choices.length === 0 || choices.includes(null) ? null : choices.flatMap((own) => own ?? []);
  };
  const branches = Object.values(flow.states).flatMap(listStateBranches);
  return new Map(
    Object.entries(flow.context ?? {}).flatMap(([name, variable]) => {
      const assigned = branches.flatMap((branch) =>
        branch.assign?.[name] === undefined ? [] : [listChoices(branch.assign[name], pointers.get(branch) ?? '')],
      );
      const choices = [...assigned, listChoices(variable.default ?? null, '')].flatMap((own) => own ?? []);
      const isOpen = ['query', 'path'].includes(variable.from) || assigned.includes(null);
      return isOpen || choices.every((choice) => choice === null)
        ? []
        : [[`context.${name}`, [{ schema: { enum: [...new Set(choices)] }, optional: true }]] as const];
    }),
  );
}

/** Combines the shapes of the variables of several flows. Omits those that are unknown in one of them. */
export function mergeVariableShapes([first, ...others]: readonly VariableShapes[]): VariableShapes {
  const common = [...(first ?? [])].filter(([path]) => others.every((other) => other.has(path)));
  return new Map(
    common.map(([path, shapes]) => [path, [...shapes, ...others.flatMap((other) => other.get(path) ?? [])]]),
  );
}
