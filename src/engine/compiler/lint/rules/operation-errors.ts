import type { LogicTemplate } from '../../../core/flow-and-screen-types.ts';
import { listPathsReadByLogic } from '../../../core/json-logic.ts';
import { groupBy, isObject, type Json } from '../../../core/json.ts';
import { explain, findNearestName, listNearNames, suggestSimilarName } from '../../sources/localized-text.ts';
import { listFlowInvocations, listOutcomes, type LintedFlow, type LocatedInvocation } from '../lint-input.ts';
import { checkEachFlowWith, createDefinitionsLintRule, createFindingAt, type FindViolations } from '../lint-rule.ts';

const unknownErrors = checkEachFlowWith((linted, { flows, contract: { operations, commonErrors, errorTexts = {} } }) =>
  listOutcomes(linted, 'onError').flatMap(({ at, branch: { guard }, sources }) => {
    const report = createFindingAt({ file: linted.file, pointer: `${at}/guard` });
    const status = listComparedValues(guard, 'error.status').find((one) => !errorStatuses.includes(Number(one)));
    if (status !== undefined)
      return report(explain`No error has the status ${String(status)}.
        ${suggestSimilarName(String(status), errorStatuses.map(String))}Write an HTTP status from 400 to 599, or 0 for a failed connection.`);
    const declared = sources.map((src) => operations[src]?.errors);
    if (declared.includes(undefined)) return [];
    const known = [...new Set([...declared.flatMap((codes) => codes ?? []), ...commonErrors])];
    return listComparedValues(guard, 'error.code')
      .filter((code) => typeof code === 'string' && !known.includes(code))
      .map((code) => {
        const handled = sources.map((src) =>
          compareErrorsWithBranches(groupInvocations(flows).get(src) ?? [], operations[src]?.errors),
        );
        const [forgotten, ...others] = new Set(handled.flatMap((own) => own.forgotten));
        const isShownFor = (own: string) =>
          errorTexts[own] !== undefined && new RegExp(errorTexts[own], 'iu').test(String(code));
        const wrong = known.find(isShownFor) ?? String(code);
        if (findNearestName(wrong, known) === undefined && forgotten !== undefined && others.length === 0)
          return report(explain`The error "${code}" cannot come from ${sources.join(', ')}.
            Did you mean "${forgotten}"? No branch handles that one.`);
        return report(explain`The error "${code}" cannot come from ${sources.join(', ')}.
          ${suggestSimilarName(wrong, known)}It may be: ${listNearNames(wrong, known)}.`);
      });
  }),
);

type Placed = LocatedInvocation & { readonly linted: LintedFlow };

function groupInvocations(flows: readonly LintedFlow[]): ReadonlyMap<string, readonly Placed[]> {
  const placed = flows.flatMap((linted) => listFlowInvocations(linted).map((own) => ({ ...own, linted })));
  return groupBy(placed, ({ effect }) => effect.src);
}

/** Returns the error codes of an operation that no branch tests for, and the tested codes that resemble none of its codes. */
function compareErrorsWithBranches(uses: readonly Placed[], errors: readonly string[] = []) {
  const tested = uses
    .flatMap(({ effect }) => effect.onError.flatMap(({ guard }) => listComparedValues(guard, 'error.code')))
    .map((code) => ({ code, error: errors.includes(String(code)) ? code : findNearestName(String(code), errors) }));
  return {
    forgotten: errors.filter((code) => !tested.some(({ error }) => error === code)),
    unknown: tested.filter(({ error }) => error === undefined).map(({ code }) => code),
  };
}

/** Reports error codes that no branch of an operation handles, if its branches test for some of its other codes. */
const forgottenErrors: FindViolations = ({ flows, contract: { operations, commonErrors } }) =>
  [...groupInvocations(flows)].flatMap(([src, uses]) => {
    const isOpen = ({ effect, at, linted: { pointers } }: Placed) =>
      effect.onError.some(({ guard }) => listComparedValues(guard, 'error.code').length > 0) &&
      effect.onError.every((branch) => {
        const isOwn = pointers.get(branch)?.startsWith(at) ?? false; // false for a branch that is inherited from the flow, or that the compiler adds
        return !isOwn || (branch.guard !== undefined && listPathsReadByLogic(branch.guard).includes('error.code'));
      });
    const first = uses.find(isOpen);
    const { forgotten, unknown } = compareErrorsWithBranches(uses, operations[src]?.errors);
    const misspelt = unknown.filter((code) => !commonErrors.includes(String(code))); // reported with the code that it probably means
    if (!first || forgotten.length <= misspelt.length) return [];
    return createFindingAt({ file: first.linted.file, pointer: first.at })(explain`
      ${src} may return the error "${forgotten.join('", "')}", but no branch handles it.
      Add a branch to "onError" with the guard { "error.code": "${forgotten[0] ?? ''}" }.`);
  });

export const operationErrorLintRule = createDefinitionsLintRule('operation/error', 'W', unknownErrors, forgottenErrors);

function listComparedValues(rule: LogicTemplate | undefined, path: string): readonly (string | number)[] {
  if (Array.isArray(rule)) return rule.flatMap((part: Json) => listComparedValues(part, path));
  if (!isObject(rule)) return [];
  return Object.entries(rule as Record<string, Json>).flatMap(([operator, operands]) => {
    const [a, b]: readonly (Json | undefined)[] = Array.isArray(operands) ? operands : [];
    const isOfPath =
      ['==', '===', '!=', '!==', 'in'].includes(operator) && [a, b].some((side) => isPathRead(side, path));
    return isOfPath
      ? [a, b].flatMap((side) => [side].flat()).filter((side) => typeof side === 'string' || typeof side === 'number')
      : listComparedValues(operands, path);
  });
}

function isPathRead(rule: Json | undefined, path: string): boolean {
  return isObject(rule) && rule['var'] === path;
}

/** Status codes of errors in the HTTP registry of IANA, and 0 for a failed connection. */
const errorStatuses = [
  0, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423, 424, 425,
  426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 505, 506, 507, 508, 511,
];
