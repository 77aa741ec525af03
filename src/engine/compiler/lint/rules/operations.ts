import type { Branch, Template, Effect } from '../../../core/definition.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { guess } from '../../sources/near.ts';
import { type Finding, listFlowEffects, flowRule, type LocatedEffect, type Subject, setRule } from '../subject.ts';
import { either, say } from '../../sources/say.ts';
import { formatPath, type OperationShape } from '../../explore/node.ts';
import { listVariables, isLogic } from '../../../core/logic.ts';
import { findPropertyNames, shapeAt, type Shape, listRequired } from '../../explore/shapes.ts';
import { sourceParams, uiOptions } from '../../../core/ui.ts';
import { readProperties, flattenFields } from '../../screen/fields-of-schema.ts';
import { buildUiPointer } from '../../screen/fields-of-ui.ts';
import type { Localized } from '../../localized.ts';

/** Reports missing and superfluous input of operations: path parameters, body properties, and the form of another screen. */
export const operationInput = setRule('operation/input', 'E', (subject) => [
  ...checkSources(subject),
  ...subject.flows.flatMap((linted) =>
    listFlowEffects(linted).flatMap((placed) => {
      const shape = subject.contract.operations[placed.effect.src];
      if (!shape) return [];
      const told = [...checkParams(placed, shape), ...checkOperationBody(placed, shape, subject)];
      return told.map(([part, message, hint]): Finding => ({
        file: linted.file,
        pointer: `${placed.at}${part}`,
        message,
        hint,
      }));
    }),
  ),
]);

function checkSources({ screens, contract }: Subject): readonly Finding[] {
  return [...screens.values()].flatMap(({ ui, schema, files }) =>
    Object.keys(flattenFields(schema ?? {})).flatMap((field): readonly Finding[] => {
      const { source } = uiOptions(ui, field, {});
      const params = sourceParams(ui, field);
      const shape = typeof source === 'string' && params ? contract.operations[source] : undefined;
      if (!shape || !params || !files.ui) return [];
      const file = files.ui;
      const told = checkParams({ effect: { src: String(source), params } }, shape);
      return told.map(([part, message, hint]) => ({
        file,
        pointer: `${buildUiPointer(field)}/ui:options${part === '' ? '/params' : part}`,
        message,
        hint,
      }));
    }),
  );
}

type DiagnosticText = readonly [part: string, message: Localized, hint: Localized];

function checkParams(
  { effect }: { readonly effect: Pick<Effect, 'src' | 'params'> },
  { params, query }: OperationShape,
): readonly DiagnosticText[] {
  const given = Object.keys(effect.params ?? {});
  const known = [...params, ...query];
  return [
    ...params
      .filter((name) => !given.includes(name))
      .map((name): DiagnosticText => [
        '',
        say`The operation ${effect.src} needs ":${name}".`,
        say`Give it "params": { "${name}": … }.`,
      ]),
    ...given
      .filter((name) => !known.includes(name))
      .map((name): DiagnosticText => [
        `/params/${name}`,
        say`The operation ${effect.src} does not read "${name}".`,
        listed(name, known),
      ]),
  ];
}

function checkOperationBody(
  { effect, state }: LocatedEffect,
  shape: OperationShape,
  { screens }: Subject,
): readonly DiagnosticText[] {
  const { input, src } = effect;
  if (!shape.sends)
    return input === undefined ? [] : [['/input', say`The operation ${src} has no body.`, say`Remove "input".`]];
  if (effect.progress) return [];
  const listFieldNames = (id: string) => Object.keys(readProperties(screens.get(id)?.schema ?? ({} as JsonObject)));
  const taken = shape.body
    ? findPropertyNames({ schema: shape.body, optional: false })
    : shape.screens.flatMap(listFieldNames);
  if (input === undefined && state.block !== undefined) return []; // a block sends input in its code
  const isOwnForm = input === undefined && !shape.body;
  if (isOwnForm && shape.screens.length > 0 && !shape.screens.includes(state.screen ?? '')) {
    const other = state.screen ?? '–';
    return [
      [
        '',
        say`The operation ${src} takes the form of ${shape.screens.join(', ')}, not that of "${other}".`,
        say`Write "input" with what it takes.`,
      ],
    ];
  }
  if (isLogic(input) || (input !== undefined && !isObject(input)) || taken === null) return [];
  const sent = input === undefined ? listFieldNames(state.screen ?? '') : Object.keys(input);
  const needed = shape.body ? listRequired({ schema: shape.body, optional: false }) : [];
  return [
    ...sent
      .filter((name) => !taken.includes(name))
      .map((name): DiagnosticText => [
        input === undefined ? '' : `/input/${name}`,
        say`The operation ${src} does not read "${name}".`,
        listed(name, taken),
      ]),
    ...needed
      .filter((name) => !sent.includes(name))
      .map((name): DiagnosticText => [
        input === undefined ? '' : '/input',
        say`The operation ${src} lacks "${name}".`,
        say`Add it to "input".`,
      ]),
  ];
}

function listed(wrong: string, known: readonly string[]): Localized {
  const near = guess(wrong, known);
  const list = known.join(', ') || '–';
  return say`${near}It reads: ${list}.`;
}

/** Reports reads of properties that the response of an operation does not have. */
export const operationResult = flowRule('operation/result', 'E', (linted, { contract: { operations } }) => {
  const readers = new Map<string, { readonly branch: Branch; readonly operations: Set<string> }>();
  for (const { effect } of listFlowEffects(linted))
    for (const branch of effect.onDone) {
      const at = linted.pointers.get(branch);
      if (at === undefined) continue;
      const reader = readers.get(at) ?? { branch, operations: new Set() };
      reader.operations.add(effect.src);
      readers.set(at, reader);
    }
  return [...readers].flatMap(([at, { branch, operations: sources }]) =>
    listResultReads(branch).flatMap(([pointer, path]) => {
      const steps = path.split('.').slice(1);
      const shapes = [...sources].flatMap((src): Shape[] => {
        const answer = operations[src]?.answer;
        return answer ? [{ schema: answer, optional: false }] : [];
      });
      // A branch shared by several operations may read from any of them.
      if (shapes.length === 0 || shapes.some((shape) => shapeAt(shape, steps) !== null)) return [];
      const depth = steps.findIndex((_, index) =>
        shapes.every((shape) => shapeAt(shape, steps.slice(0, index + 1)) === null),
      );
      const around = shapes.flatMap((shape) => shapeAt(shape, steps.slice(0, depth)) ?? []);
      const known = around.flatMap((shape) => findPropertyNames(shape) ?? []);
      const near = guess(steps[depth] ?? '', known);
      const list = known.join(', ') || '–';
      return {
        file: linted.file,
        pointer: `${at}${pointer}`,
        message: say`"${path}" is no part of what ${[...sources].join(', ')} answers.`,
        hint: say`${near}It has: ${list}.`,
      };
    }),
  );
});

function listResultReads({
  guard,
  assign,
  challenge,
  leave,
}: Branch): readonly (readonly [pointer: string, path: string])[] {
  const parts: readonly (readonly [string, Template | undefined])[] = [
    ['/guard', guard],
    ['/challenge', challenge],
    ['/leave', leave],
    ...Object.entries(assign ?? {}).map(([name, template]) => [`/assign/${name}`, template] as const),
  ];
  return parts.flatMap(([pointer, template]) =>
    template === undefined
      ? []
      : listVariables(template)
          .filter((path) => path.startsWith('result.'))
          .map((path) => [pointer, path] as const),
  );
}

/** Reports operations for signed-in users that anonymous users can reach. */
export const operationAccess = flowRule('operation/access', 'E', (linted, { contract }) => {
  const { operations, standing = {}, signedIn = [], signedInAccess = Object.keys(standing) } = contract;
  const access = either(signedInAccess.map((word) => `"${word}"`));
  const places = new Map(listFlowEffects(linted).map(({ effect, at }) => [effect, at]));
  const found = new Map<string, Finding>();
  for (const { node, effect, assignment } of linted.exploration.operations) {
    const at = places.get(effect);
    if (operations[effect.src]?.open !== false || at === undefined || node.rough || assignment.guarded || found.has(at))
      continue;
    found.set(at, {
      file: linted.file,
      pointer: at,
      message: say`The operation ${effect.src} is for who is signed in, and anybody comes to "${node.state}".`,
      hint: say`Give the state "access": ${access}, or require { "var": "${signedIn.at(-1) ?? ''}" }.`,
      walk: formatPath(node),
    });
  }
  return [...found.values()];
});

/** Reports guards on error codes that the operation never raises, or on statuses that are not HTTP errors. */
export const operationError = flowRule('operation/error', 'W', (linted, { contract: { operations, commonErrors } }) => {
  const readers = new Map<string, { readonly branch: Branch; readonly operations: Set<string> }>();
  for (const { effect } of listFlowEffects(linted))
    for (const branch of effect.onError) {
      const at = linted.pointers.get(branch);
      if (at === undefined) continue;
      const reader = readers.get(at) ?? { branch, operations: new Set() };
      reader.operations.add(effect.src);
      readers.set(at, reader);
    }
  return [...readers].flatMap(([at, { branch, operations: sources }]) => {
    const status = listComparedValues(branch.guard, 'error.status').find((one) => !isErrorStatus(Number(one)));
    if (status !== undefined)
      return {
        file: linted.file,
        pointer: `${at}/guard`,
        message: say`No error has the status ${String(status)}.`,
        hint: say`Write one of HTTP from 400 to 599, or 0 where there is no connection.`,
      };
    const declared = [...sources].map((src) => operations[src]?.errors);
    if (declared.some((codes) => codes === undefined)) return [];
    const known = [...new Set([...declared.flatMap((codes) => codes ?? []), ...commonErrors])];
    return listComparedValues(branch.guard, 'error.code')
      .filter((code): code is string => typeof code === 'string')
      .filter((code) => !known.includes(code))
      .map((code): Finding => {
        const near = guess(code, known);
        return {
          file: linted.file,
          pointer: `${at}/guard`,
          message: say`Nothing answers "${code}" to ${[...sources].join(', ')}.`,
          hint: say`${near}It may be: ${known.join(', ')}.`,
        };
      });
  });
});

function listComparedValues(rule: Template | undefined, path: string): readonly (string | number)[] {
  if (Array.isArray(rule)) return rule.flatMap((part: Json) => listComparedValues(part, path));
  if (!isObject(rule)) return [];
  return Object.entries(rule as Record<string, Json>).flatMap(([operator, operands]) => {
    const [a, b]: readonly (Json | undefined)[] = Array.isArray(operands) ? operands : [];
    const isOfPath = ['==', '===', '!=', '!==', 'in'].includes(operator) && [a, b].some((side) => reads(side, path));
    return isOfPath
      ? [a, b].flatMap((side) => [side].flat()).filter((side) => typeof side === 'string' || typeof side === 'number')
      : listComparedValues(operands, path);
  });
}

function reads(rule: Json | undefined, path: string): boolean {
  return isObject(rule) && rule['var'] === path;
}

function isErrorStatus(status: number): boolean {
  return status === 0 || (status >= 400 && status < 600);
}
