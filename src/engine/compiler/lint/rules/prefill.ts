import { escapePointer } from '../../../core/json-pointer.ts';
import { asObject, isObject, type Json } from '../../../core/json.ts';
import { explain } from '../../sources/localized-text.ts';
import { listFlowBranches, listFlowInvocations, type LintedFlow, type LintInput } from '../lint-input.ts';
import {
  checkEachStateWith,
  createDefinitionsLintRule,
  createFindingAt,
  type FindViolations,
  type LintFinding,
} from '../lint-rule.ts';
import { hasSibling } from './flow-variables.ts';

/** Reports a field that is prefilled with a part of a fact, although another part of the fact has the name of the field. */
const otherParts = checkEachStateWith(({ state, locate }, { contract }) =>
  Object.entries(state.prefill ?? {}).flatMap(([field, template]) => {
    const path = isObject(template) ? template['var'] : undefined;
    if (typeof path !== 'string' || path.split('.').at(-1) === field || !hasSibling(path, field, contract)) return [];
    const meant = path.replace(/[^.]+$/, field);
    return createFindingAt({ ...locate('prefill', field), value: meant })(explain`
      "${field}" is prefilled with "${path}", although there is "${meant}".
      Write "${meant}", or rename the field.`);
  }),
);

/** Reports values passed to a field, variable or input whose name refers to another shared definition: an e-mail address to `telefono`. */
const otherKinds: FindViolations = (subject) => {
  const kinds = indexKindsByName(subject);
  return subject.flows.flatMap((linted) =>
    listPassedValues(linted).flatMap(({ name, value, pointer }): readonly LintFinding[] => {
      const path = isObject(value) ? value['var'] : undefined;
      if (typeof path !== 'string' || hasSibling(path, name, subject.contract)) return []; // the other check reports a sibling
      const [own, passed] = [kinds.get(name), kinds.get(path.split('.').at(-1) ?? '')];
      if (own === undefined || passed === undefined || own === passed) return [];
      return [
        createFindingAt({ file: linted.file, pointer })(explain`
          "${name}" gets "${path}", which is another kind of value: "${passed}" instead of "${own}".
          Write a value of its kind.`),
      ];
    }),
  );
};

/** Returns the shared definition to which all fields of a name refer. Omits names of fields that refer to different ones, or to none. */
function indexKindsByName({ screens }: LintInput): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { files } of screens.values())
    for (const [name, field] of Object.entries(asObject(asObject(files.schema?.value)['properties']))) {
      const kind = asObject(field)['$ref'];
      const own = typeof kind === 'string' && kind.includes('.json#') ? kind : '';
      found.set(name, found.has(name) && found.get(name) !== own ? '' : own);
    }
  return new Map([...found].filter(([, kind]) => kind !== ''));
}

function listPassedValues(linted: LintedFlow) {
  const list = (values: unknown, pointer: string) =>
    Object.entries(asObject(values as Json)).map(([name, value]) => {
      return { name, value, pointer: `${pointer}/${escapePointer(name)}` };
    });
  return [
    ...Object.entries(linted.flow.states).flatMap(([name, { prefill }]) =>
      list(prefill, linted.locate('states', name, 'prefill').pointer),
    ),
    ...listFlowBranches(linted).flatMap(([{ assign }, at]) => list(assign, `${at}/assign`)),
    ...listFlowInvocations(linted).flatMap(({ effect, at }) => list(effect.input, `${at}/input`)),
  ];
}

export const dataPrefill = createDefinitionsLintRule('data/prefill', 'W', otherParts, otherKinds);
