import type { ScreenUi } from '../../../core/flow-and-screen-types.ts';
import type { JsonObject } from '../../../core/json.ts';
import { readFieldUi } from '../../../core/screen-ui-queries.ts';
import {
  findDependencyCycle,
  getComputedRules,
  isFieldRequired,
  buildFieldPointer,
  flattenFields,
} from '../../screen/schema-fields.ts';
import { suggestSimilarOrKnownNames, explain } from '../../sources/localized-text.ts';
import type { ProblemReporter } from '../../sources/problem-collector.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { checkJsonLogic } from '../check-json-logic.ts';
import { buildUiPointer } from '../../../core/field-path.ts';

interface ComputedFieldContext {
  readonly ui: ScreenUi;
  /** Facts available to both the browser and the server. */
  readonly facts: readonly string[];
  readonly reportSchema: ProblemReporter;
  readonly reportUi: ProblemReporter;
}

/** Keywords that the ui of a computed field may have. */
const uiKeywords = ['ui:title', 'ui:help', 'ui:enumNames', 'ui:options'];
const computedTypes = ['string', 'number', 'integer'];

/**
 * Checks the computed fields. Computed fields must not form a cycle or have keywords of input fields. Their rules may read only values available to
 * both browser and server.
 */
export function checkComputedFields(schema: JsonObject, around: ComputedFieldContext): void {
  const { ui, facts, reportSchema: report } = around;
  const fields = flattenFields(schema);
  const readable = { form: new Set(Object.keys(fields)), context: new Set<string>(), facts };
  for (const [name, logic] of Object.entries(getComputedRules(schema))) {
    const at = `/computed/${escapePointer(name)}`;
    if (name.includes('.') || !Object.hasOwn(fields, name)) {
      const known = Object.keys(fields).filter((field) => !field.includes('.'));
      report(at)(explain`There is no field "${name}" to compute beside the others.
        ${suggestSimilarOrKnownNames(name, known)}`);
      continue;
    }
    checkJsonLogic(report, at, logic, readable);
    const circle = findDependencyCycle(schema, ui, name);
    if (circle)
      report(at)(explain`"${name}" is computed in a circle: ${circle.join(' → ')}.
        Each one depends on the next: remove one of them from a rule.`);
    checkField(schema, name, around);
  }
}

function checkField(schema: JsonObject, name: string, { ui, reportSchema, reportUi }: ComputedFieldContext): void {
  const field = flattenFields(schema)[name] ?? {};
  const at = buildFieldPointer(name);
  if (isFieldRequired(schema, name))
    reportSchema('/required')(explain`"${name}" is computed: people cannot fill it in.
      Remove it here, and require the fields that it is computed from.`);
  if (field.writeOnly === true)
    reportSchema(`${at}/writeOnly`)(explain`"${name}" is computed and shown: it cannot be a secret.
      Remove "writeOnly".`);
  if (typeof field.type === 'string' && !computedTypes.includes(field.type))
    reportSchema(`${at}/type`)(explain`A field of type ${field.type} cannot be computed.
      Use one of these types: ${computedTypes.join(', ')}.`);
  for (const word of Object.keys(readFieldUi(ui, name)).filter((key) => !uiKeywords.includes(key)))
    reportUi(`${buildUiPointer(name)}/${escapePointer(word)}`)(explain`
      "${word}" has no effect on a computed field.
      A computed field accepts ${uiKeywords.join(', ')}.`);
}
