import type { ErrorObject } from 'ajv';
import { asObject, type Json, type JsonObject } from '../../core/json.ts';
import { escapePointer, splitPointer } from '../../core/json-pointer.ts';
import { suggestNumberWithinLimit, suggestValueForError } from '../formats/suggest-correction.ts';
import {
  explain,
  findNearestName,
  listNearNames,
  localize,
  suggestSimilarName,
  suggestSimilarOrKnownNames,
  type LocalizedText,
} from '../sources/localized-text.ts';
import type { ProblemReporter } from '../sources/problem-collector.ts';
import { allErrorsAjv, formatAjvError, omitUninformativeErrors } from '../sources/standard-ajv.ts';

interface Parameters {
  /** Name of the keyword or option that has this value. */
  readonly name: string;
  readonly plugin: string;
  /** JSON Schema that the plugin declares. */
  readonly schema: JsonObject;
  readonly explainUnknown: (name: string) => LocalizedText;
  /** Whether an error is at a value that is not known yet. */
  readonly isUndecided?: (error: ErrorObject) => boolean;
}

/** Reports errors of the parameters of a plugin's rule, or of the options of its widget. Returns whether there are none. */
export function checkPluginParameters(
  report: ProblemReporter,
  at: string,
  value: Json,
  { name, plugin, schema, explainUnknown, isUndecided = () => false }: Parameters,
): boolean {
  const validate = allErrorsAjv.compile(schema);
  if (validate(value)) return true;
  const errors = omitUninformativeErrors(validate.errors ?? []).filter((error) => !isUndecided(error));
  const misspelt = errors.flatMap(
    ({ params }) => (params as { readonly additionalProperty?: string }).additionalProperty ?? [],
  );
  for (const error of errors) {
    const { missingProperty: missing } = error.params as { readonly missingProperty?: string };
    if (missing !== undefined && findNearestName(missing, misspelt) !== undefined) continue; // the missing parameter is misspelled: reported below, at the misspelling
    const { additionalProperty: unknown } = error.params as { readonly additionalProperty?: string };
    const known = Object.keys(asObject(error.parentSchema?.['properties']));
    const part = splitPointer(`/${escapePointer(name)}${error.instancePath}`).at(-1) ?? name;
    const choices: unknown = (error.params as { readonly allowedValues?: unknown }).allowedValues;
    if (Array.isArray(choices))
      report(at + error.instancePath)(explain`"${part}" ${formatAjvError(error)}.
        ${suggestSimilarOrKnownNames(String(error.data), choices.map(String))}`);
    else if (unknown === undefined)
      report(at + error.instancePath)(explain`"${part}" ${formatAjvError(error)}.
        ${suggestValueForError(error) ?? suggestNumberWithinLimit(error) ?? localize`See plugins/${plugin}/README.md.`}`);
    else
      report(`${at}${error.instancePath}/${escapePointer(unknown)}`)(explain`${explainUnknown(unknown)}
        ${suggestSimilarName(unknown, known)}It has: ${listNearNames(unknown, known)}.`);
  }
  return errors.length === 0;
}
