import { isDeepStrictEqual } from 'node:util';
import type { UncoveredRule } from '../../../engine/compiler/mutate/rule-coverage.ts';
import { selectLocalizedText } from '../../../engine/compiler/sources/localized-text.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { listRequiredProperties, readSchemaProperties } from '../../../engine/compiler/screen/schema-fields.ts';
import { asObject, type JsonObject } from '../../../engine/core/json.ts';
import { parseScreenCases } from './screen-cases.ts';
import { applyJsonEdits } from '../apply-json-edits.ts';
import { localize } from '../localized-output.ts';

/** E.g. `propuesta-email-maxLength-1`, with the field and its rule. */
const proposalName = /^(propuesta-)([\w.]+)(?=-|$)/;

export function isProposedCaseName(name: string): boolean {
  return proposalName.test(name);
}

/** Renames the field in the name of a proposed case. Returns any other name unchanged. */
export function renameFieldInProposedCaseName(name: string, rename: (field: string) => string): string {
  return name.replace(proposalName, (_, start: string, field: string) => start + rename(field));
}

/** Writes only the values that differ from the shared values of the file. Returns `null` if the rule has no proposed case. */
export function addProposedCase(
  text: string,
  { field, rule, proposal }: UncoveredRule,
  language: string,
): { readonly name: string; readonly text: string } | null {
  if (!proposal) return null;
  const shared = parseScreenCases(text);
  const start = `propuesta-${field}-${rule.replace(/\W+/g, '-').replace(/-$/, '')}`;
  const isFree = (own: string) => shared.cases.every((known) => known.name !== own);
  let name = start;
  for (let number = 2; !isFree(name); number += 1) name = `${start}-${number}`; // appends a number to a name in use, because rules such as "pattern ^" and "pattern $" produce the same name
  const { data, context, errors } = proposal;
  const changed = Object.entries(data).filter(([key, value]) => !isDeepStrictEqual(value, shared.data[key]));
  const missing = Object.keys(shared.data).filter((key) => !Object.hasOwn(data, key));
  const isAccepted = Object.keys(errors).length === 0;
  const note = selectLocalizedText(
    isAccepted
      ? localize`Proposed for ${rule} of "${field}": confirm that these values are right.`
      : localize`Proposed for ${rule} of "${field}": confirm that the message is the right one.`,
    language,
  );
  const value = {
    note,
    ...(changed.length > 0 && { with: Object.fromEntries(changed) }),
    ...(missing.length > 0 && { without: missing }),
    ...(!isDeepStrictEqual(context, shared.context) && { context }),
    ...(!isAccepted && { errors }),
  } as JsonObject; // the cast is safe, because the values come from JSON
  return { name, text: applyJsonEdits(text, [{ pointer: `/cases/${escapePointer(name)}`, value }]) };
}

/** Returns the values that a case of a new screen needs, for an example of a case file. */
export function formatRequiredData(own: JsonObject | null): string {
  const fields = readSchemaProperties(own ?? {});
  const values = listRequiredProperties(own ?? {}).map((name) => {
    const { const: only, enum: choices } = asObject(fields[name]);
    return [name, only ?? (Array.isArray(choices) ? choices[0] : '…')] as const;
  });
  return values.length === 0 ? '' : `"data": ${JSON.stringify(Object.fromEntries(values))}, `;
}
