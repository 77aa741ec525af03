import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../../../core/json.ts';
import { ownPropertiesOf, propertiesOf } from '../../screen/fields-of-schema.ts';
import type { Plugins } from '../../files/plugins.ts';
import { instead } from '../../sources/near.ts';
import type { Report } from '../../sources/report.ts';

/** What the checks of one schema share. */
export interface SchemaCheck {
  readonly schema: JsonObject;
  readonly plugins: Plugins;
  /** The facts that rules of plugins may read; absent: nobody knows. */
  readonly facts?: readonly string[] | undefined;
  readonly report: Report;
}

/** Keywords that JSON Schema has and a screen has not, with what to write instead. */
const undrawable: Readonly<Record<string, string>> = {
  ui: 'What is seen of a field stands in "fields" of ui.json; only a definition of schemas/_shared brings its own.',
  messages: 'They stand in "messages" of ui.json; only a definition of schemas/_shared brings its own.',
  default: 'Use "prefill" of the state in the flow: what a citizen has not said is never sent on its own.',
  readOnly: 'Use "ui:readonly" in ui.json.',
  examples: 'Texts stand in ui.json: use "ui:placeholder" there.',
  if: 'Show fields by "visible" in ui.json.',
  then: 'Show fields by "visible" in ui.json.',
  else: 'Show fields by "visible" in ui.json.',
  oneOf: 'Use "enum" for choices and "visible" in ui.json for alternatives.',
  anyOf: 'Use "enum" for choices and "visible" in ui.json for alternatives.',
  allOf: 'Write the keywords into the field itself.',
  not: 'Write a rule plugin.',
  dependentRequired: 'Mark the field required and show it by "visible" in ui.json: a hidden field is not required.',
  dependentSchemas: 'Show fields by "visible" in ui.json.',
  dependencies: 'Show fields by "visible" in ui.json.',
  prefixItems: 'Use one field for each item.',
  patternProperties: 'Name each field in "properties".',
  unevaluatedProperties: 'It is not needed: unknown fields are always refused.',
  properties: 'Write "type": "object" beside it, for an object of fields.',
};

const plain = new Ajv2020({ strict: false, allErrors: true });

/** Checks a keyword that is not a standard one: that a plugin brings it, for this place and with these parameters. */
export function checkRule(
  { schema, plugins, facts, report }: SchemaCheck,
  at: string,
  level: 'field' | 'form',
  { keyword, value }: { readonly keyword: string; readonly value: Json },
): void {
  const hint = undrawable[keyword];
  if (hint) return report(at, `"${keyword}" cannot stand in a screen's schema.`, hint);
  const entry = plugins.rules.get(keyword);
  if (!entry)
    return report(
      at,
      `Unknown keyword "${keyword}".`,
      `No plugin brings it. Known: ${[...plugins.rules.keys()].join(', ')}.`,
    );
  const { rule } = entry;
  if (rule.level !== level) {
    return report(
      at,
      `"${keyword}" stands in the wrong place.`,
      rule.level === 'field' ? 'Put it into a field.' : 'Put it beside "properties".',
    );
  }
  const validate = plain.compile(rule.parameters);
  if (!validate(value)) {
    for (const error of validate.errors ?? [])
      report(
        at + error.instancePath,
        `"${keyword}" ${error.message ?? 'is wrong'}.`,
        `See plugins/${entry.plugin}/README.md.`,
      );
    return;
  }
  const named = [...(rule.reads?.(value as never) ?? []), ...(rule.target ? [rule.target(value as never)] : [])];
  for (const name of named) {
    if (!Object.hasOwn(ownPropertiesOf(schema), name) || !Object.hasOwn(propertiesOf(schema), name))
      report(
        at,
        `"${keyword}" names the field "${name}", which does not exist.`,
        'Name a field of the "properties" of the screen itself: what stands inside of an object it cannot see.',
      );
  }
  for (const name of rule.facts?.(value as never) ?? [])
    if (facts && !facts.includes(name))
      report(at, `"${keyword}" reads the fact "${name}", which nobody knows.`, instead(name, facts));
}
