import type { JsonObject } from '../../../core/json.ts';
import { listFieldsReadByLogic } from '../../../core/json-logic.ts';
import { listFlowExpressions } from '../../flow/flow-queries.ts';
import type { CheckedScreen, LoweredFlow } from '../../intermediate-representation.ts';
import { buildFieldPointer, readSchemaProperties } from '../../screen/schema-fields.ts';
import { explain, findRenamed } from '../../sources/localized-text.ts';
import type { ProblemCollector } from '../../sources/problem-collector.ts';
import { splitFieldName } from '../../../core/field-path.ts';

/** Minimum number of files that use another name for a field. With fewer, they probably misspell it. */
const minUsers = 2;

/**
 * Reports a field that was probably renamed only in schema.json: several other files use the same unknown name. Returns the screen with
 * that name restored, so that it is not reported again in each of them.
 */
export function restoreRenamedField(
  screen: CheckedScreen,
  flows: readonly LoweredFlow[],
  problems: ProblemCollector,
): CheckedScreen {
  const { schema, ui, files } = screen;
  if (!schema || !files.schema) return screen;
  const known = Object.keys(readSchemaProperties(schema));
  const named = [
    ...Object.keys(ui.fields ?? {}).map((name) => ({ name, user: files.ui.path })),
    ...flows.flatMap((flow) => listFieldsNamedByFlow(flow, screen.id).map((name) => ({ name, user: flow.file.path }))),
  ];
  const unnamed = known.filter((name) => !named.some((own) => own.name === name));
  const unknown = [...new Set(named.map(({ name }) => name))].filter((name) => !known.includes(name));
  for (const name of unknown) {
    const users = [...new Set(named.filter((own) => own.name === name).map(({ user }) => user))];
    const now = users.length < minUsers ? undefined : findRenamed(name, unnamed);
    if (now === undefined) continue;
    problems.report(files.schema)(buildFieldPointer(now))(explain`
      This field is "${now}" here, and "${name}" in ${users.join(', ')}.
      Write "${name}" here, or rename it there too.`);
    return { ...screen, schema: renameField(schema, now, name) };
  }
  return screen;
}

/** Returns the names of top-level fields that the states with a screen prefill or read. */
function listFieldsNamedByFlow({ flow: { id, initial, states } }: LoweredFlow, screen: string): readonly string[] {
  return Object.values(states)
    .filter((state) => state.screen === screen && state.block === undefined)
    .flatMap((state) => [
      ...Object.keys(state.prefill ?? {}),
      ...listFlowExpressions({ id, initial, states: { own: state } })
        .flatMap((template) => listFieldsReadByLogic(template))
        .flatMap((field) => splitFieldName(field)[0] ?? []),
    ]);
}

function renameField(schema: JsonObject, from: string, to: string): JsonObject {
  const entries = Object.entries(readSchemaProperties(schema)).map(([name, field]) => [
    name === from ? to : name,
    field,
  ]);
  const { required } = schema;
  return {
    ...schema,
    properties: Object.fromEntries(entries) as JsonObject,
    ...(Array.isArray(required) && { required: required.map((name) => (name === from ? to : name)) }),
  };
}
