import type { Json } from '../../engine/core/json.ts';
import type { WalkPlace } from './walk.ts';

/** Difference between a run and its scenario. Step 0 is the arrival. */
export type WalkFault =
  | { readonly kind: 'field' | 'event'; readonly step: number; readonly name: string }
  | { readonly kind: 'unanswered'; readonly step: number; readonly operation: string }
  | { readonly kind: 'unmade'; readonly step: number; readonly operation: string }
  | {
      readonly kind: 'differs';
      readonly step: number;
      readonly what: keyof WalkPlace;
      readonly expected: Json;
      readonly actual: Json;
    };

interface Compared {
  readonly step: number;
  /** Operation with a response in the scenario that was not invoked. */
  readonly unmade: string | undefined;
  readonly pending: { readonly operation: string } | null;
  /** Absent if nothing is expected. */
  readonly expected: WalkPlace | undefined;
  readonly actual: Required<WalkPlace>;
}

/** Returns the first difference to the expected result of a step, or `null`. A pending operation is a fault only if a result is expected after it. */
export function faultIn({ step, unmade, pending, expected, actual }: Compared): WalkFault | null {
  if (pending) return expected ? { kind: 'unanswered', step, operation: pending.operation } : null;
  if (unmade !== undefined) return { kind: 'unmade', step, operation: unmade };
  if (!expected) return null;
  const full: Required<WalkPlace> = { notice: '', left: '', errors: {}, set: {}, ...expected };
  const parts = ['state', 'left', 'notice', 'errors', 'set'] as const;
  const what = parts.find((part) => ordered(full[part] as Json) !== ordered(actual[part] as Json)); // places contain JSON
  return what === undefined
    ? null
    : { kind: 'differs', step, what, expected: full[what] as Json, actual: actual[what] as Json };
}

function ordered(value: Json): string {
  return JSON.stringify(value, (_key, part: Json) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
