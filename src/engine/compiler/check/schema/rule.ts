import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../../../core/json.ts';
import { pointerSteps } from '../../../core/json-pointer.ts';
import { earlierOf, ownPropertiesOf, propertiesOf } from '../../screen/fields-of-schema.ts';
import type { Plugins } from '../../files/plugin-table.ts';
import { instead } from '../../sources/near.ts';
import type { Report } from '../../sources/report.ts';
import { say } from '../../sources/say.ts';
import type { Localized } from '../../localized.ts';
import { wordsOf } from '../../sources/ajv-words.ts';

/** What the checks of one schema share. */
export interface SchemaCheck {
  readonly schema: JsonObject;
  readonly plugins: Plugins;
  /** The facts that rules of plugins may read; absent: nobody knows. */
  readonly facts?: readonly string[] | undefined;
  /** In how many lists its fields stand; absent: in none. */
  readonly lists?: number;
  /** How many items a list takes at most; absent: as many as any. */
  readonly most?: number;
  readonly report: Report;
}

const beside = say`Write it beside the "properties" of the whole screen, or show fields by "visible" in ui.json.`;

/** Keywords that JSON Schema or other form libraries have and a screen has not, with what to write instead. */
const undrawable: Readonly<Record<string, Localized>> = {
  ui: say`What is seen of a field stands in "fields" of ui.json; only a definition of schemas/_shared brings its own.`,
  messages: say`They stand in "messages" of ui.json; only a definition of schemas/_shared brings its own.`,
  examples: say`Texts of a set in several languages stand in ui.json: use "ui:placeholder" there.`,
  enumNames: say`Use "ui:enumNames" in ui.json.`,
  if: beside,
  then: beside,
  else: beside,
  oneOf: say`Use "enum" for choices, with "ui:enumNames" in ui.json; alternatives of several fields stand beside the "properties" of the whole screen.`,
  anyOf: say`Use "enum" for choices, with "ui:enumNames" in ui.json; alternatives of several fields stand beside the "properties" of the whole screen.`,
  allOf: say`Its parts contradict each other: write the keywords into the field itself.`,
  not: say`Write a rule plugin.`,
  dependentRequired: beside,
  dependentSchemas: beside,
  dependencies: beside,
  conditional: say`Show fields by "visible" in ui.json.`,
  visibleIf: say`Show fields by "visible" in ui.json.`,
  calculateValue: say`Compute it by "computed" beside "properties".`,
  choicesFromQuestion: say`Choices that follow another answer stand in "if" and "then" beside the "properties" of the whole screen; those of an operation come by "source" and "params" in "ui:options".`,
  prefixItems: say`Use one field for each item.`,
  patternProperties: say`Name each field in "properties".`,
  unevaluatedProperties: say`It is not needed: unknown fields are always refused.`,
  properties: say`Write "type": "object" beside it, for an object of fields.`,
};

const plain = new Ajv2020({ strict: false, allErrors: true });

/** Checks a keyword that is not a standard one: that a plugin brings it, for this place, for a field of this type and with these parameters. */
export function checkRule(
  { schema, plugins, facts, report }: SchemaCheck,
  at: string,
  level: 'field' | 'form',
  { keyword, value, type }: { readonly keyword: string; readonly value: Json; readonly type?: Json | undefined },
): void {
  const hint = Object.hasOwn(undrawable, keyword) ? undrawable[keyword] : undefined;
  if (hint) return report(at, say`"${keyword}" cannot stand in a screen's schema.`, hint);
  const entry = plugins.rules.get(keyword);
  if (!entry)
    return report(
      at,
      say`Unknown keyword "${keyword}".`,
      say`No plugin brings it. Known: ${[...plugins.rules.keys()].join(', ')}.`,
    );
  const { rule } = entry;
  if (rule.level !== level) {
    return report(
      at,
      say`"${keyword}" stands in the wrong place.`,
      rule.level === 'field' ? say`Put it into a field.` : say`Put it beside "properties".`,
    );
  }
  if (rule.types && typeof type === 'string' && !rule.types.some((own) => own === type))
    return report(
      at,
      say`"${keyword}" does not fit a field of the type "${type}".`,
      say`Remove it here; it is for fields of ${rule.types.join(', ')}.`,
    );
  const validate = plain.compile(rule.parameters);
  if (!validate(value)) {
    for (const error of validate.errors ?? [])
      report(
        at + error.instancePath,
        say`"${keyword}" ${wordsOf(error)}.`,
        say`See plugins/${entry.plugin}/README.md.`,
      );
    return;
  }
  const named = [...(rule.reads?.(value as never) ?? []), ...(rule.target ? [rule.target(value as never)] : [])];
  for (const name of named.filter((one) => !earlierOf(schema).includes(one))) {
    if (!Object.hasOwn(ownPropertiesOf(schema), name) || !Object.hasOwn(propertiesOf(schema), name))
      report(
        at,
        say`"${keyword}" names the field "${name}", which does not exist.`,
        say`Name a field of the "properties" of the screen itself, or of an earlier step that stands in its "earlier".`,
      );
  }
  const [, own, ...inside] = pointerSteps(at);
  if (level === 'field' && inside.length === 1 && named.includes(own ?? ''))
    report(at, say`"${keyword}" compares "${own ?? ''}" with itself.`, say`Name another field.`);
  for (const name of rule.facts?.(value as never) ?? [])
    if (facts && !facts.includes(name))
      report(at, say`"${keyword}" reads the fact "${name}", which nobody knows.`, instead(name, facts));
}
