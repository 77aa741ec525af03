import { isObject, type JsonObject } from '../../core/json.ts';
import type { FieldRead } from '../definitions.ts';
import type { Report } from '../sources/report.ts';
import { say } from '../sources/say.ts';

/** Refuses a schema if a field that an operation reads is missing or has another type. */
export function checkReads(schema: JsonObject, reads: readonly FieldRead[], report: Report): void {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  for (const { operation, field, type } of reads) {
    const property = properties[field];
    if (!isObject(property))
      report(
        '/properties',
        say`The operation "${operation}" reads the field "${field}", which is not here.`,
        say`Give the field its name back; to rename it, its row in the contract and its handler must change with it.`,
      );
    else if (![property['type']].flat().some((given) => given === type || (type === 'number' && given === 'integer')))
      report(
        `/properties/${field}`,
        say`The operation "${operation}" reads "${field}" as a ${type}.`,
        say`Give it "type": "${type}"; another type needs another handler.`,
      );
  }
}
