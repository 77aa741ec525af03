import { escapePointer } from '../../files/source-file.ts';
import type { UiCheck } from './ui-check.ts';

/** Checks that every name of a field is one of the schema's, and that the order names none twice. */
export function checkNames({ ui, fields, report }: UiCheck): void {
  const named = (name: string, pointer: string) => {
    if (!Object.hasOwn(fields, name))
      report(
        pointer,
        `There is no field "${name}".`,
        `Fields of schema.json: ${Object.keys(fields).join(', ') || 'none'}.`,
      );
  };
  for (const part of ['fields', 'visible', 'messages'] as const) {
    for (const name of Object.keys(ui[part] ?? {}))
      if (name !== 'ui:order') named(name, `/${part}/${escapePointer(name)}`);
  }
  const order = ui.fields?.['ui:order'] ?? [];
  order.forEach((name, index) => {
    const pointer = `/fields/ui:order/${index}`;
    if (order.indexOf(name) < index) report(pointer, `"${name}" stands twice in the order.`, 'Remove one of them.');
    else if (name !== '*') named(name, pointer);
  });
}
