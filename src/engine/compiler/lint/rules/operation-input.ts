import type { OperationShape } from '../../explore/node.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import { isLogic } from '../../../core/logic.ts';
import { guess } from '../../sources/near.ts';
import type { Effect } from '../../../core/definition.ts';
import { sourceParams, uiOptions } from '../../../core/ui.ts';
import { ownPropertiesOf, propertiesOf } from '../../screen/fields-of-schema.ts';
import { pointerOfUi } from '../../screen/fields-of-ui.ts';
import { type LintRule, type Finding, effectsOf, type PlacedEffect, type Subject } from '../subject.ts';
import type { Localized } from '../../localized.ts';
import { namesOf, requiredOf } from '../../explore/shapes.ts';
import { say } from '../../sources/say.ts';

/** Reports missing and superfluous input of operations: path parameters, body properties, and the form of another screen. */
export const operationInput: LintRule<Subject> = {
  id: 'operation/input',
  severity: 'E',
  find: (subject) => [
    ...ofSources(subject),
    ...subject.flows.flatMap((linted) =>
      effectsOf(linted).flatMap((placed) => {
        const shape = subject.contract.operations[placed.effect.src];
        if (!shape) return [];
        const told = [...ofParams(placed, shape), ...ofBody(placed, shape, subject)];
        return told.map(([part, message, hint]): Finding => ({
          file: linted.file,
          pointer: `${placed.at}${part}`,
          message,
          hint,
        }));
      }),
    ),
  ],
};

function ofSources({ screens, contract }: Subject): readonly Finding[] {
  return [...screens.values()].flatMap(({ ui, schema, files }) =>
    Object.keys(propertiesOf(schema ?? {})).flatMap((field): readonly Finding[] => {
      const { source } = uiOptions(ui, field, {});
      const params = sourceParams(ui, field);
      const shape = typeof source === 'string' && params ? contract.operations[source] : undefined;
      if (!shape || !params || !files.ui) return [];
      const file = files.ui;
      const told = ofParams({ effect: { src: String(source), params } }, shape);
      return told.map(([part, message, hint]) => ({
        file,
        pointer: `${pointerOfUi(field)}/ui:options${part === '' ? '/params' : part}`,
        message,
        hint,
      }));
    }),
  );
}

type Told = readonly [part: string, message: Localized, hint: Localized];

function ofParams(
  { effect }: { readonly effect: Pick<Effect, 'src' | 'params'> },
  { params, query }: OperationShape,
): readonly Told[] {
  const given = Object.keys(effect.params ?? {});
  const known = [...params, ...query];
  return [
    ...params
      .filter((name) => !given.includes(name))
      .map((name): Told => [
        '',
        say`The operation ${effect.src} needs ":${name}".`,
        say`Give it "params": { "${name}": … }.`,
      ]),
    ...given
      .filter((name) => !known.includes(name))
      .map((name): Told => [
        `/params/${name}`,
        say`The operation ${effect.src} does not read "${name}".`,
        listed(name, known),
      ]),
  ];
}

function ofBody({ effect, state }: PlacedEffect, shape: OperationShape, { screens }: Subject): readonly Told[] {
  const { input, src } = effect;
  if (!shape.sends)
    return input === undefined ? [] : [['/input', say`The operation ${src} has no body.`, say`Remove "input".`]];
  if (effect.progress) return [];
  const fieldsOf = (id: string) => Object.keys(ownPropertiesOf(screens.get(id)?.schema ?? ({} as JsonObject)));
  const taken = shape.body ? namesOf({ schema: shape.body, optional: false }) : shape.screens.flatMap(fieldsOf);
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
  const sent = input === undefined ? fieldsOf(state.screen ?? '') : Object.keys(input);
  const needed = shape.body ? requiredOf({ schema: shape.body, optional: false }) : [];
  return [
    ...sent
      .filter((name) => !taken.includes(name))
      .map((name): Told => [
        input === undefined ? '' : `/input/${name}`,
        say`The operation ${src} does not read "${name}".`,
        listed(name, taken),
      ]),
    ...needed
      .filter((name) => !sent.includes(name))
      .map((name): Told => [
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
