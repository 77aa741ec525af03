import { computed, type IComputedValue } from 'mobx';
import type { Values } from '../../core/json.ts';
import type { ScreenData } from '../../core/screen.ts';
import { hiddenFields } from '../../core/validate.ts';
import { stable, type FieldModel } from './field-model.ts';

/** Links each field with the fields that its rules read, and those with it. */
export function linkFields(fields: ReadonlyMap<string, FieldModel>): void {
  for (const field of fields.values())
    for (const dependent of field.spec.dependents.flatMap((name) => fields.get(name) ?? [])) {
      field.dependents.push(dependent);
      dependent.reads.push(field);
    }
}

/** Computes the names of the hidden fields. Depends only on the fields that visibility rules read, so that other input does not recompute it. */
export function computeHidden(
  { computed: order }: ScreenData,
  fields: Iterable<FieldModel>,
  context: Values,
): IComputedValue<ReadonlySet<string>> {
  const ruled = [...fields].filter(({ spec }) => spec.visible !== undefined || spec.computed !== undefined);
  const read = [...new Set(ruled.flatMap(({ reads }) => reads))];
  const screen = { fields: read.map(({ spec }) => spec), computed: order };
  const given = read.filter(({ spec }) => spec.computed === undefined);
  const hidden = () => {
    const values = given.flatMap(({ name, filled }) => (filled === undefined ? [] : [[name, filled] as const]));
    return hiddenFields(screen, values, context);
  };
  return computed(hidden, stable);
}
