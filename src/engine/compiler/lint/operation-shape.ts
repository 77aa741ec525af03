import type { JsonObject } from '../../core/json.ts';

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
