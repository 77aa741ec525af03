import type { Access, Branch, Effect, Ui } from '../../core/definition.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Assignment } from './assignment.ts';

/** What a walk meets beside the flow. */
export interface ExploreOptions {
  readonly screens: ReadonlyMap<string, { readonly schema: JsonObject | null; readonly ui: Ui }>;
  readonly operations: Readonly<Record<string, OperationShape>>;
  /** Facts that are true or false of whoever may open a state. */
  readonly standing?: Readonly<Partial<Record<Access, Readonly<Record<string, boolean>>>>>;
  /** JSON Schemas of facts that may lack, by root. */
  readonly factShapes?: Readonly<Record<string, JsonObject>>;
  /** Facts that are true of who is signed in alone. */
  readonly signedIn?: readonly string[];
  /** Roots of the facts that an operation may change, e.g. `user`. */
  readonly changing?: readonly string[];
  /** Most nodes that are looked at. */
  readonly cap?: number;
}

/** A flow that stands somewhere, and how it came there. */
export interface Node {
  readonly state: string;
  readonly assignment: Assignment;
  /** Its own operation is done, so that it is drawn and can be used. */
  readonly open: boolean;
  /** What belongs together was forgotten, so that maybe no walk comes here. */
  readonly rough: boolean;
  readonly notice?: Raised;
  /** What the walk knows it by, once it is looked at. */
  readonly key?: string;
  readonly before: Node | null;
  /** What led here. */
  readonly by: string;
}

/** A notice by the branch that raises it. */
export interface Raised {
  readonly branch: Branch;
  readonly name: string;
}

/** An operation that fails and comes to be called again by that alone. */
export interface RetryLoop {
  /** Where it fails for the first time. */
  readonly node: Node;
  readonly branch: Branch;
  /** From the state that calls it on. */
  readonly states: readonly string[];
}

/** What all walks through a flow came by. */
export interface Exploration {
  /** Every node at which something is drawn or could be. */
  readonly nodes: readonly Node[];
  /** Branches that were taken, each by a shortest walk. */
  readonly taken: ReadonlyMap<Branch, Node>;
  /** Branches that were asked, though another may have been taken. */
  readonly asked: ReadonlySet<Branch>;
  /** By branch that was not reached in its list: those that were taken before it. */
  readonly insteadOf: ReadonlyMap<Branch, ReadonlySet<Branch>>;
  /** Branches that some walk came to. */
  readonly open: ReadonlySet<Branch>;
  /** The states whose requirement held, drawn or not. */
  readonly passed: ReadonlySet<string>;
  /** The states that were asked on the way in. */
  readonly tried: ReadonlySet<string>;
  /** Ways in that lead round and round. */
  readonly circles: readonly { readonly node: Node; readonly states: readonly string[] }[];
  /** Operations whose failure leads to their being called again, without anything that can be pressed in between. */
  readonly retryLoops: readonly RetryLoop[];
  /** Moments after which nothing is drawn. */
  readonly blank: readonly { readonly node: Node; readonly by: string }[];
  /** Calls by the nodes at which they are made. */
  readonly operations: readonly { readonly node: Node; readonly effect: Effect; readonly assignment: Assignment }[];
  /** Whether there were too many to see all. */
  readonly capped: boolean;
}

/** How a node was come to: `pedir submit.onDone→enviado`. */
export function formatPath(node: Node): string {
  const steps: string[] = [];
  for (let now: Node | null = node; now; now = now.before) {
    const by = now.by === '' ? '' : ` ${now.by}→`;
    if (now.before?.state === now.state && now.by === 'onDone') continue; // its own call answered
    steps.unshift(now.before ? `${by || '→'}${now.state}` : now.by === '' ? now.state : `(${now.by}) ${now.state}`);
  }
  return steps.join('');
}

/** What the contract says of an operation, as far as flows can be held to it. */
export interface OperationShape {
  /** Names in its path, each of which must be given. */
  readonly params: readonly string[];
  /** Names that it reads of the query. */
  readonly query: readonly string[];
  /** Whether it has a body. */
  readonly sends: boolean;
  /** JSON Schema of a body that is no screen's form; absent: the forms of `screens`. */
  readonly body?: JsonObject;
  /** The screens whose forms are its body. */
  readonly screens: readonly string[];
  /** The fields of those forms that it reads; absent: it keeps whatever they ask for. */
  readonly reads?: readonly string[];
  /** JSON Schema of what it answers. */
  readonly answer: JsonObject;
  /** Whether it may be made by whoever is not signed in. */
  readonly open: boolean;
  /** The codes of the errors that it raises itself; absent: not declared. */
  readonly errors?: readonly string[];
}
