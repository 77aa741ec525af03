import type { Json, Values } from '../../engine/core/json.ts';

export interface OperationResponse {
  readonly operation: string;
  readonly result?: Json;
  readonly error?: OperationErrorResponse;
}

/** Error of an operation. Defaults are those of a rejected form. */
export interface OperationErrorResponse {
  readonly code?: string;
  /** HTTP status, 400 by default. */
  readonly status?: number;
  readonly field?: string;
  readonly errors?: Readonly<Record<string, string>>;
  readonly next?: string;
}

/** Expected result of a step. Absent properties are empty. */
export interface ExpectedResult {
  /** Displayed state. Empty if nothing is displayed, because the flow was left at once. */
  readonly state: string;
  readonly notice?: string;
  /** Address outside the flow. `history` for the previous page. */
  readonly left?: string;
  readonly errors?: Readonly<Record<string, string>>;
  readonly set?: Values;
}

export interface ScenarioStep {
  /** Input by field, or data of a block's event. */
  readonly fill?: Values;
  readonly raise: string;
  /** Responses of the following operations, in order. */
  readonly operations?: readonly OperationResponse[];
  readonly then?: ExpectedResult;
}

export interface Scenario {
  readonly name: string;
  /** Description of the steps yet to be recorded. The scenario does not run while it is present. */
  readonly todo?: string;
  /** State opened by its address. The initial state if absent. */
  readonly at?: string;
  /** Query string of the address, e.g. `?uuid=1`. */
  readonly search?: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Facts. Defaults to an anonymous user and the default flags. */
  readonly facts?: Values;
  readonly operations?: readonly OperationResponse[];
  readonly then?: ExpectedResult;
  readonly steps?: readonly ScenarioStep[];
}

/** `tests/definitions/walks/<flow>.json`. */
export interface ScenarioFile {
  readonly walks: readonly Scenario[];
}

/** Removes empty properties, which the files omit. Keeps an empty `state`, which means that the flow was left at once. */
export function omitEmpty<Part extends object>(part: Part): Part {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === '' || (typeof value === 'object' && Object.keys(value ?? 'null').length === 0);
  return Object.fromEntries(Object.entries(part).filter(([key, value]) => key === 'state' || !isEmpty(value))) as Part;
}

export const scenarioFolder = 'tests/definitions/walks';

export function buildScenarioPath(flow: string): string {
  return `${scenarioFolder}/${flow}.json`;
}
