import type { Json, ValuesByName } from '../../engine/core/json.ts';

export interface ScriptedResponse {
  readonly operation: string;
  readonly result?: Json;
  readonly error?: ScriptedErrorResponse;
}

/** Error response of an operation. Absent properties default to those of a rejected form. */
export interface ScriptedErrorResponse {
  readonly code?: string;
  /** HTTP status, 400 by default. */
  readonly status?: number;
  readonly field?: string;
  readonly errors?: Readonly<Record<string, string>>;
  readonly next?: string;
}

/** Expected result of a step. An absent property is expected to be empty. */
export interface ExpectedStepResult {
  /** State after the step. Empty if the flow was left immediately. */
  readonly state: string;
  readonly notice?: string;
  /** URL outside the flow. `history` stands for the previous page. */
  readonly left?: string;
  readonly errors?: Readonly<Record<string, string>>;
  readonly set?: ValuesByName;
}

export interface ScenarioStep {
  /** Input by field, or the data of a block's event. */
  readonly fill?: ValuesByName;
  readonly raise: string;
  /** Responses of the operations that this step invokes, in order. */
  readonly operations?: readonly ScriptedResponse[];
  readonly then?: ExpectedStepResult;
}

export interface Scenario {
  readonly name: string;
  /** Description of the steps to record. A scenario with this property is not run. */
  readonly todo?: string;
  /** State whose URL is opened. By default, the initial state. */
  readonly at?: string;
  readonly search?: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Facts of the run. By default, those of an anonymous user with the default flags. */
  readonly facts?: ValuesByName;
  readonly operations?: readonly ScriptedResponse[];
  readonly then?: ExpectedStepResult;
  readonly steps?: readonly ScenarioStep[];
}

/** Content of `tests/definitions/walks/<flow>.json`. */
export interface ScenarioFile {
  readonly walks: readonly Scenario[];
}

/** Removes empty properties, except an empty `state`, which means that the flow was left immediately. */
export function omitEmptyProperties<Part extends object>(part: Part): Part {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === '' || (typeof value === 'object' && Object.keys(value ?? 'null').length === 0);
  return Object.fromEntries(Object.entries(part).filter(([key, value]) => key === 'state' || !isEmpty(value))) as Part;
}

export const scenarioFolder = 'tests/definitions/walks';

export function buildScenarioPath(flow: string): string {
  return `${scenarioFolder}/${flow}.json`;
}
