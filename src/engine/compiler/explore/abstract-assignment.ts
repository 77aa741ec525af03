import { isObject, type Json } from '../../core/json.ts';
import {
  unknownValueShape,
  listPossibleValuesOfShape,
  isAlwaysTruthy,
  resolveChildShape,
  type ValueShape,
} from './value-shapes.ts';

export type AbstractValue = { readonly constant: Json } | { readonly unknown: string; readonly shape: ValueShape };

interface Constraint {
  readonly truth?: boolean;
  readonly is?: { readonly value: Json };
  readonly not: readonly Json[];
}

/** A test in a guard whose result is not determined yet. */
export type UndecidedTest =
  | { readonly of: 'truth'; readonly value: Extract<AbstractValue, { unknown: string }> }
  | { readonly of: 'equality'; readonly value: Extract<AbstractValue, { unknown: string }>; readonly other: Json }
  | { readonly of: 'rule'; readonly key: string };

interface AssignmentData {
  readonly variables: ReadonlyMap<string, AbstractValue>;
  readonly facts: Readonly<Record<string, ValueShape>>;
  /** Shapes of the other roots that rules may read at this node: `form`, `result` and `error`. */
  readonly roots: ReadonlyMap<string, ValueShape>;
  readonly constraints: ReadonlyMap<string, Constraint>;
  readonly rules: ReadonlyMap<string, boolean>;
  /** Whether the path to this node requires a signed-in user. */
  readonly isForSignedIn: boolean;
}

const emptyData: Omit<AssignmentData, 'variables'> = {
  facts: {},
  roots: new Map(),
  constraints: new Map(),
  rules: new Map(),
  isForSignedIn: false,
};

/** Abstract values that the rules of a flow read at one node, and the constraints on them. Immutable. */
export class AbstractAssignment {
  readonly #parts: AssignmentData;

  constructor(parts: Partial<AssignmentData> = {}) {
    this.#parts = { variables: new Map(), ...emptyData, ...parts };
  }

  get variables(): AssignmentData['variables'] {
    return this.#parts.variables;
  }

  get roots(): AssignmentData['roots'] {
    return this.#parts.roots;
  }

  get isForSignedIn(): boolean {
    return this.#parts.isForSignedIn;
  }

  get #known(): AssignmentData['constraints'] {
    return this.#parts.constraints;
  }

  findValueAt(path: string): AbstractValue {
    const [root = '', ...steps] = path.split('.');
    if (root === 'context') {
      const [name = '', ...below] = steps;
      return this.#below(this.variables.get(name) ?? createUnknownValue(`context.${name}`), below);
    }
    const shape = this.roots.get(root) ?? this.#parts.facts[root];
    if (!shape && ['form', 'result', 'error'].includes(root)) return { constant: null };
    return this.#below(createUnknownValue(root, shape), steps);
  }

  /** Whether JSON-logic treats a value as true. Returns the undecided test if the result is not determined. */
  isTruthy(value: AbstractValue): boolean | UndecidedTest {
    const now = this.#now(value);
    if ('constant' in now) return isTruthyJson(now.constant);
    const { truth } = this.#known.get(now.unknown) ?? {};
    if (truth !== undefined) return truth;
    const open = this.#choices(now);
    if (open && open.every(isTruthyJson)) return true;
    if (open && !open.some(isTruthyJson)) return false;
    return isAlwaysTruthy(now.shape) ? true : { of: 'truth', value: now };
  }

  equals(value: AbstractValue, other: Json): boolean | UndecidedTest {
    const now = this.#now(value);
    if ('constant' in now) return isSame(now.constant, other);
    const { truth, not = [] } = this.#known.get(now.unknown) ?? {};
    if (not.some((one) => isSame(one, other))) return false;
    if (truth !== undefined && truth !== isTruthyJson(other)) return false;
    const choices = this.#choices(now);
    if (choices && !choices.some((one) => isSame(one, other))) return false;
    if (choices?.length === 1) return true;
    return { of: 'equality', value: now, other };
  }

  /** Whether a rule that cannot be evaluated is true. Returns the undecided test if the assignment assumes no result. */
  isRuleTrue(key: string): boolean | UndecidedTest {
    return this.#parts.rules.get(key) ?? { of: 'rule', key };
  }

  /** Returns the assignment in which a test has the assumed result. Returns `null` if the result contradicts the constraints. */
  assumeTestResult(question: UndecidedTest, answer: boolean): AbstractAssignment | null {
    if (question.of === 'rule') return this.#with({ rules: new Map([...this.#parts.rules, [question.key, answer]]) });
    const { value } = question;
    const found = question.of === 'truth' ? this.isTruthy(value) : this.equals(value, question.other);
    if (typeof found === 'boolean') return found === answer ? this : null;
    const known = this.#known.get(value.unknown) ?? { not: [] };
    const next: Constraint =
      question.of === 'truth'
        ? { ...known, truth: answer }
        : answer
          ? { ...known, is: { value: question.other }, truth: isTruthyJson(question.other) }
          : { ...known, not: [...known.not, question.other] };
    const assignment = this.#with({ constraints: new Map([...this.#known, [value.unknown, next]]) });
    return next.truth === true ? assignment.#constrainParents(value.unknown) : assignment;
  }

  asSignedIn(): AbstractAssignment {
    return this.isForSignedIn ? this : this.#with({ isForSignedIn: true });
  }

  assignVariables(values: Iterable<readonly [string, AbstractValue]>): AbstractAssignment {
    return this.#with({ variables: new Map([...this.variables, ...values]) });
  }

  /** Replaces the shapes of the roots `form`, `result` and `error`. Drops the constraints on the previous values of these roots. */
  replaceRoots(roots: Iterable<readonly [string, ValueShape]>): AbstractAssignment {
    const own = new Map(roots);
    return this.#with({
      roots: own,
      constraints: this.#knownWithout((name) => /^(form|result|error)(\.|$)/.test(name)),
    });
  }

  forgetFacts(isForgotten: (name: string) => boolean): AbstractAssignment {
    return this.#with({ constraints: this.#knownWithout((name) => !name.startsWith('context.') && isForgotten(name)) });
  }

  /** Drops variables and facts that no rule reads later, and renames unknown values. Equivalent assignments then have the same key. */
  dropUnreadValues(isRead: (path: string) => boolean): AbstractAssignment {
    const names = new Map<string, string>();
    const variables = new Map<string, AbstractValue>();
    for (const [name, value] of [...this.variables].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (!isRead(`context.${name}`)) continue;
      const now = this.#now(value);
      if ('constant' in now) variables.set(name, now);
      else {
        if (!names.has(now.unknown)) names.set(now.unknown, `context.${name}`);
        variables.set(name, { ...now, unknown: names.get(now.unknown) ?? '' });
      }
    }
    const known = new Map<string, Constraint>();
    for (const [name, what] of this.#known) {
      for (const [old, own] of names)
        if (name === old || name.startsWith(`${old}.`)) known.set(own + name.slice(old.length), what);
      if (isRead(name) && isFact(name)) known.set(name, what);
    }
    return this.#with({ variables, constraints: known, roots: emptyData.roots, rules: emptyData.rules });
  }

  withoutConstraints(): AbstractAssignment {
    return this.#with({ constraints: emptyData.constraints, rules: emptyData.rules });
  }

  /** Joins two assignments. Variables with different values become unknown. */
  joinWith(other: AbstractAssignment): AbstractAssignment {
    const variables = [...this.variables].map(([name, value]): [string, AbstractValue] => {
      const its = other.variables.get(name);
      const isOne = its && 'constant' in value && 'constant' in its && isSame(value.constant, its.constant);
      return [name, isOne ? value : createUnknownValue(`context.${name}`)];
    });
    const { facts } = this.#parts;
    return new AbstractAssignment({
      variables: new Map(variables),
      facts,
      isForSignedIn: this.isForSignedIn && other.isForSignedIn,
    });
  }

  get key(): string {
    const known = [...this.#known].map(([name, what]) => `${name}=${serialize(what)}`);
    const variables = [...this.variables].map(([name, value]) =>
      JSON.stringify([name, 'constant' in value ? [value.constant] : value.unknown]),
    );
    return `${String(this.isForSignedIn)};${variables.sort().join()};${known.sort().join()}`;
  }

  #below(value: AbstractValue, steps: readonly string[]): AbstractValue {
    let found = this.#now(value);
    for (const step of steps) {
      if ('constant' in found) {
        const parentValue: Json = found.constant;
        const holds = typeof parentValue === 'object' && parentValue !== null && Object.hasOwn(parentValue, step);
        found = { constant: holds ? ((Reflect.get(parentValue, step) as Json | undefined) ?? null) : null };
        continue;
      }
      if (this.#known.get(found.unknown)?.truth === false) return { constant: null };
      const part = resolveChildShape(found.shape, step, this.#known.get(found.unknown)?.truth);
      if (part === null) return { constant: null };
      found = this.#now({ unknown: `${found.unknown}.${step}`, shape: part });
    }
    return found;
  }

  #now(value: AbstractValue): AbstractValue {
    const is = 'unknown' in value ? this.#known.get(value.unknown)?.is : undefined;
    return is ? { constant: is.value } : value;
  }

  #choices({ unknown: name, shape }: Extract<AbstractValue, { unknown: string }>): readonly Json[] | null {
    const { not = [] } = this.#known.get(name) ?? {};
    return listPossibleValuesOfShape(shape)?.filter((choice) => !not.some((one) => isSame(one, choice))) ?? null;
  }

  // Adds the constraint that the parents of a value exist, because the value could not be true otherwise.
  #constrainParents(name: string): AbstractAssignment {
    const end = name.lastIndexOf('.');
    const parentName = name.slice(0, end);
    if (end < 0 || parentName === 'context' || this.#known.get(parentName)?.truth !== undefined) return this;
    const known = { ...(this.#known.get(parentName) ?? { not: [] }), truth: true };
    return this.#with({ constraints: new Map([...this.#known, [parentName, known]]) }).#constrainParents(parentName);
  }

  #knownWithout(isLost: (name: string) => boolean): ReadonlyMap<string, Constraint> {
    return new Map([...this.#known].filter(([name]) => !isLost(name)));
  }

  #with(parts: Partial<AssignmentData>): AbstractAssignment {
    return new AbstractAssignment({ ...this.#parts, ...parts });
  }
}

function isFact(name: string): boolean {
  return !/^(context|form|result|error|rule)(\.|:|$)/.test(name);
}

/** Returns the canonical text of a constraint. */
function serialize({ truth, is, not }: Constraint): string {
  return JSON.stringify([truth, is, not.map((one) => JSON.stringify(one)).sort()]);
}

export function createUnknownValue(
  name: string,
  shape: ValueShape = unknownValueShape,
): Extract<AbstractValue, { unknown: string }> {
  return { unknown: name, shape };
}

export function isTruthyJson(value: Json): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function isSame(a: Json, b: Json): boolean {
  if (a === null || b === null) return a === b;
  if (isObject(a) || isObject(b) || Array.isArray(a) || Array.isArray(b))
    return JSON.stringify(a) === JSON.stringify(b);
  return a === b || (typeof a !== typeof b && Number(a) === Number(b)); // loose equality, as in JSON-logic
}
