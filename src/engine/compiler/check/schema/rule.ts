import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../../../core/json.ts';
import { pointerSteps } from '../../../core/json-pointer.ts';
import { earlierOf, ownPropertiesOf, propertiesOf } from '../../screen/fields-of-schema.ts';
import type { Plugins } from '../../files/plugin-table.ts';
import { instead } from '../../sources/near.ts';
import type { Report } from '../../sources/report.ts';
import { say } from '../../sources/say.ts';
import { wordsOf } from '../../sources/ajv-words.ts';
import { isMisplaced, meantKeyword, undrawable } from './unread-words.ts';

export interface SchemaCheck {
  readonly schema: JsonObject;
  readonly plugins: Plugins;
  /** Facts that plugin rules may read. Without it, any is accepted. */
  readonly facts?: readonly string[] | undefined;
  /** Number of lists that contain these fields. Defaults to 0. */
  readonly lists?: number;
  /** Maximum number of items of a list. Defaults to `mostItems`. */
  readonly most?: number;
  /** Fields that cannot be read. Checks elsewhere skip them. */
  readonly unread: Set<string>;
  readonly report: Report;
}

const plain = new Ajv2020({ strict: false, allErrors: true });

/** Checks a non-standard keyword: a plugin provides it, at this level, for this field type and with these parameters. */
export function checkRule(
  { schema, plugins, facts, report }: SchemaCheck,
  at: string,
  level: 'field' | 'form',
  { keyword, value, type }: { readonly keyword: string; readonly value: Json; readonly type?: Json | undefined },
): void {
  const isOfScreen = level === 'form' && ['$id', 'required', 'properties', 'examples'].includes(keyword);
  const hint = Object.hasOwn(undrawable, keyword) && !isOfScreen ? undrawable[keyword] : undefined;
  if (hint)
    return report(
      at,
      level === 'field'
        ? say`"${keyword}" cannot stand in a field.`
        : say`"${keyword}" cannot stand in a screen's schema.`,
      hint,
    );
  const entry = plugins.rules.get(keyword);
  if (entry ? entry.rule.level !== level : isMisplaced(keyword, level))
    return report(
      at,
      say`"${keyword}" stands in the wrong place.`,
      level === 'form' ? say`Put it into a field.` : say`Put it beside "properties".`,
    );
  if (!entry) return reportUnknown(report, at, keyword, plugins);
  const { rule } = entry;
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

export function reportUnknown(report: Report, at: string, keyword: string, plugins: Plugins): void {
  if (keyword.trim() !== keyword) return; // the blanks were already reported
  const meant = meantKeyword(keyword, plugins);
  report(
    at,
    say`Unknown keyword "${keyword}".`,
    meant === undefined
      ? say`Remove it: neither JSON Schema nor a plugin has it. Plugins bring ${[...plugins.rules.keys()].join(', ')}.`
      : say`Did you mean "${meant}"?`,
  );
}
