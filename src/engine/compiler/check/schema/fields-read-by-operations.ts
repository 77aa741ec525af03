import { asObject, isObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { FieldReadByOperation } from '../../definitions.ts';
import type { DefinitionFiles } from '../../files/read-definition-files.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { ResolvedSchema } from '../../shared/resolve-schema.ts';
import { explain, findNearestName, localize } from '../../sources/localized-text.ts';
import type { ProblemReporter } from '../../sources/problem-collector.ts';

export interface MissingField extends FieldReadByOperation {
  /** Fields of the screen that operations read, or whose texts are beside those of the missing field. It cannot have one of their names now. */
  readonly otherFields: readonly string[];
  /** Whether a file of the screen still names the field, so that it was certainly removed there. */
  readonly isNamed: boolean;
}

/**
 * Returns the fields that operations read and no screen declares, by the screen that probably had them: of the screens that validate the operation's
 * body the first one that still names the field, or the first one.
 */
export function indexMissingFields(
  { screens, flows, unusableFiles }: Pick<DefinitionFiles, 'screens' | 'flows' | 'unusableFiles'>,
  reads: readonly FieldReadByOperation[],
): ReadonlyMap<string, readonly MissingField[]> {
  const missing = new Map<string, MissingField[]>();
  const schemas = new Map(screens.map(({ id, schema }) => [id, schema?.value ?? null]));
  const states = flows.flatMap(({ value }) => Object.values(asObject(asObject(value)['states'])).map(asObject));
  for (const read of reads) {
    const listFieldsWithTexts = (id: string) => {
      const { ui, translations = new Map<string, SourceFile>() } = screens.find((own) => own.id === id) ?? {};
      const names = [ui, ...translations.values()].map((file) =>
        Object.keys(asObject(asObject(file?.value)['fields'])),
      );
      return names.filter((own) => own.includes(read.field)).flat();
    };
    const isNamedByScreen = (id: string) => {
      const required = asObject(schemas.get(id))['required'];
      return listFieldsWithTexts(id).length > 0 || (Array.isArray(required) && required.includes(read.field));
    };
    const isNamedByState = (id: string) =>
      states.some(
        (state) =>
          state['screen'] === id &&
          (Object.hasOwn(asObject(state['prefill']), read.field) ||
            JSON.stringify(state).includes(`"form.${read.field}"`)),
      );
    const named = read.screens.find(isNamedByScreen);
    const first = named ?? read.screens.find(isNamedByState) ?? read.screens[0];
    const isUnreadable = (id: string) => unusableFiles.includes(`schemas/${id}/schema.json`);
    if (read.screens.some(isUnreadable)) continue; // an unreadable schema may declare the field
    if (first === undefined || read.screens.some((id) => declaresField(schemas.get(id) ?? null, read.field))) continue;
    const known = missing.get(first) ?? [];
    const fieldsRead = reads.flatMap(({ screens: own, field }) => (own.includes(first) ? field : []));
    const otherFields = [...fieldsRead, ...listFieldsWithTexts(first)];
    if (!known.some(({ field }) => field === read.field))
      missing.set(first, [...known, { ...read, otherFields, isNamed: named !== undefined }]);
  }
  return missing;
}

/** Whether a schema or a condition in it declares the field. */
function declaresField(part: Json, field: string): boolean {
  if (Array.isArray(part)) return part.some((item: Json) => declaresField(item, field));
  if (!isObject(part)) return false;
  const { properties, ...rest } = part as Readonly<Record<string, Json>>;
  return Object.hasOwn(asObject(properties), field) || Object.values(rest).some((own) => declaresField(own, field));
}

/**
 * Reports each missing field that an operation reads, and adds it to the schema so that the files that still use its name are not reported too. Returns
 * the new schema, and the fields whose ui cannot be checked.
 */
export function restoreMissingFields(
  resolved: ResolvedSchema | null,
  missing: readonly MissingField[],
  report: ProblemReporter,
): { readonly resolved: ResolvedSchema | null; readonly restored: readonly string[] } {
  const schema = resolved?.schema ?? {};
  const lacking = missing.filter(({ field }) => !declaresField(schema, field));
  const names = Object.keys(asObject(schema['properties']));
  const renamed = lacking.flatMap(({ operation, field, otherFields, screens, isNamed }) => {
    const now = findNearestName(
      field,
      names.filter((name) => !otherFields.includes(name)),
    );
    report('/properties')(explain`
      The operation "${operation}" reads the field "${field}": only a developer can remove or rename it.
      ${screens.length > 1 && !isNamed ? localize`Restore it in one of its screens: ${screens.join(', ')}.` : localize`Restore it.`}${now === undefined ? '' : localize` If "${now}" is this field, give it back its name in every file.`}`);
    return now ?? [];
  });
  const added = Object.fromEntries(lacking.map(({ field, type }): [string, JsonObject] => [field, { type }]));
  const properties = { ...asObject(schema['properties']), ...added };
  return {
    resolved:
      resolved && lacking.length > 0 ? { ...resolved, schema: { ...schema, properties } as JsonObject } : resolved,
    restored: [...Object.keys(added), ...renamed],
  };
}

/** Reports fields that an operation reads as another type than the schema declares. */
export function checkTypesReadByOperations(
  schema: JsonObject,
  reads: readonly FieldReadByOperation[],
  report: ProblemReporter,
): void {
  const properties = asObject(schema['properties']);
  for (const { operation, field, type } of reads) {
    const { type: own } = asObject(properties[field]);
    if (
      own !== undefined &&
      ![own].flat().some((given) => given === type || (type === 'number' && given === 'integer'))
    )
      report(`/properties/${field}`)(explain`The operation "${operation}" reads "${field}" as a ${type}.
        Give it "type": "${type}". For another type, a developer must change the handler.`);
  }
}
