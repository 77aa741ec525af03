import { stepsOfName } from '../../../../core/field-path.ts';
import { escapePointer } from '../../../../core/json-pointer.ts';
import type { JsonObject } from '../../../../core/json.ts';
import { propertiesOf } from '../../../screen/fields-of-schema.ts';
import { visibleRules } from '../../../screen/fields-of-ui.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { LintedScreen, Subject } from '../../subject.ts';
import { evaluateGuard } from '../../../explore/evaluate-rules.ts';
import { Assignment } from '../../../explore/assignment.ts';

/** Fields that are seen only once they, or one another, are filled in: nobody ever sees one. */
export const uiCircle: LintRule<Subject> = {
  id: 'ui/circle',
  severity: 'E',
  find: (subject) => [...subject.screens.values()].flatMap((screen) => ofScreen(screen, subject)),
};

function ofScreen({ id, files, schema, ui }: LintedScreen, { flows, contract }: Subject): readonly Finding[] {
  const file = files.ui;
  if (!file || !schema || ui.visible === undefined) return [];
  const fields = propertiesOf(schema);
  const filled = flows.flatMap(({ flow }) =>
    Object.values(flow.states).flatMap(({ screen, prefill = {} }) => (screen === id ? Object.keys(prefill) : [])),
  );
  const ruled = Object.keys(fields).filter((name) => visibleRules(ui, name).length > 0);
  const open = new Set([...Object.keys(fields).filter((name) => !ruled.includes(name)), ...filled]);
  const facts = Object.entries(contract.factShapes ?? {}).map(([root, own]) => [root, { schema: own, optional: true }]);
  const mayShow = (name: string, answered: ReadonlySet<string>): boolean => {
    const assignment = new Assignment(new Map(), Object.fromEntries(facts)).enterRoots([
      ['form', { schema: formOf(fields, answered), optional: false }],
    ]);
    return evaluateGuard({ and: visibleRules(ui, name) }, assignment).some(({ holds }) => holds);
  };
  for (let before = -1; before < open.size;) {
    before = open.size;
    for (const name of ruled) if (!open.has(name) && mayShow(name, open)) open.add(name);
  }
  return ruled
    .filter((name) => !open.has(name) && mayShow(name, new Set(Object.keys(fields)))) // else rule/constant says why
    .map((name) => ({
      file,
      pointer: `/visible/${escapePointer(name)}`,
      message: say`"${name}" is seen once it is filled in itself, or another field that waits for it: nobody ever sees it.`,
      hint: say`Let it read a field that is seen before it, or remove the rule.`,
    }));
}

/** A form in which nothing else is answered. */
function formOf(fields: Readonly<Record<string, JsonObject>>, answered: ReadonlySet<string>): JsonObject {
  const properties: Record<string, JsonObject> = {};
  for (const [name, field] of Object.entries(fields)) {
    const [step = '', ...inner] = stepsOfName(name);
    if (inner.length > 0) properties[step] = { type: 'object', additionalProperties: true };
    else properties[step] = answered.has(name) ? field : { enum: [] }; // nothing but what is not there
  }
  return { type: 'object', properties, additionalProperties: false };
}
