import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { requestBodySchemas, type RequestBodySchemaName } from '../../../contract/payload-schemas.ts';
import { type ApiOperation, apiContract, type OperationName } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/portal-config.ts';
import type { ServedDefinitions } from '../../../engine/compiler/definitions.ts';
import { isObject, type ValuesByName } from '../../../engine/core/json.ts';
import { isEmptyValue } from '../../../engine/core/validate-screen-form.ts';
import { OperationError, InvalidBodyError } from '../../platform/base/errors.ts';
import { getSharedText, type SharedTextCode } from '../../platform/base/texts.ts';
import { isPrintableText, findUnprintableText } from '../../platform/http/printable-text.ts';
import { splitFieldName } from '../../../engine/core/field-path.ts';
import type { ExtraField } from '../../platform/base/operation-request.ts';

/** Language of the titles of additional fields, which agents read at the desk. */
const language = 'es';

export function selectBodyValidationScreens(name: OperationName, definitions: ServedDefinitions) {
  const { screen, allowsExtraFields }: ApiOperation = apiContract[name];
  const sent = allowsExtraFields ? definitions.listScreensSentWithOperation(name) : [];
  return sent.length === 0 ? screen : [...new Set([screen ?? [], sent].flat())];
}

/** Returns the fields that the contract does not declare, with their titles from the screens. Throws a 413 if they are too large. */
export function listExtraFields(
  name: OperationName,
  body: ValuesByName,
  definitions: ServedDefinitions,
): readonly ExtraField[] {
  const { reads = {}, optional = [] }: ApiOperation = apiContract[name];
  const known = new Set([...Object.keys(reads), ...optional, 'captcha_response']);
  const words = { ticked: getSharedText('casilla_marcada', language), empty: getSharedText('casilla_vacia', language) };
  const fields = definitions
    .formatAnswers(selectBodyValidationScreens(name, definitions) ?? [], body, words)
    .filter(({ field }) => !known.has(splitFieldName(field)[0] ?? field))
    .map(({ field, title, text }) => ({ campo: field, titulo: title, valor: text }));
  if (Buffer.byteLength(JSON.stringify(fields)) > 8_192) throw new OperationError(413, 'cuerpo_demasiado_grande');
  return fields;
}

interface BodyValidationRequest {
  readonly operation: ApiOperation;
  readonly screens: string | readonly string[] | undefined;
  readonly body: unknown;
  readonly language: Language;
  readonly definitions: ServedDefinitions;
  /** Loads the facts that a screen's rules read. Called only if a screen validates the body. */
  readonly context: () => Promise<ValuesByName>;
  /** Hash of the validation rules that the browser's form was loaded with. Covers all forms of a flow in several steps. */
  readonly formVersion: string | undefined;
}

/** Validates a body against the contract's schema. Also rejects control and invisible characters. Throws `InvalidBodyError` or `OperationError`. */
export function checkBodySchema({
  operation,
  body,
  language,
}: Pick<BodyValidationRequest, 'operation' | 'body' | 'language'>): void {
  if (operation.body !== undefined) checkSchema(operation.body, body, language);
  else if (operation.screen !== undefined && !isObject(body)) throw new OperationError(400, 'cuerpo_mal_formado');
  const unplain = findUnprintableText(body); // runs after the schema check, which limits the size of the body
  if (unplain !== null) throw new InvalidBodyError({ [unplain]: getSharedText('caracteres_no_admitidos', language) });
}

/** Validates a body with its screens, and returns it normalized. Throws `InvalidBodyError` or `OperationError`. Call `checkBodySchema` first. */
export async function validateBody(check: BodyValidationRequest): Promise<unknown> {
  const { operation, screens, body, language, definitions, formVersion } = check;
  if (operation.body !== undefined) return body;
  if (screens === undefined || !isObject(body)) return {};
  const context = await check.context();
  const chosen = replaceLabels(screens, body, definitions);
  const { data, errors: found } = definitions.check(screens, chosen, { language, context });
  const missed = (operation.optional ?? []).filter((name) => isEmptyValue(data[name]));
  const errors = Object.fromEntries(Object.entries(found).filter(([name]) => !missed.includes(name)));
  if (Object.keys(errors).length === 0) return data;
  if (formVersion !== undefined && formVersion !== definitions.screenVersion(screens, context, body)) {
    throw new OperationError(409, 'formulario_cambiado');
  }
  throw new InvalidBodyError(errors);
}

/**
 * Replaces labels of options by their values. Independent clients send the labels of a booking's subjects, because the specification defines no
 * values for them.
 */
function replaceLabels(screen: string | readonly string[], body: ValuesByName, definitions: ServedDefinitions) {
  const chosen = { ...body };
  for (const id of [screen].flat())
    for (const [field, schema] of Object.entries(definitions.schema(id)?.['properties'] ?? {})) {
      const values = isObject(schema) && Array.isArray(schema['enum']) ? schema['enum'] : [];
      if (typeof body[field] !== 'string' || values.includes(body[field])) continue;
      for (const language of definitions.languages) {
        const { [field]: ui } = definitions.ui(id, language).fields ?? {};
        const labels = isObject(ui) && Array.isArray(ui['ui:enumNames']) ? ui['ui:enumNames'] : [];
        const at = labels.indexOf(body[field]);
        if (at >= 0 && at < values.length) chosen[field] = values[at];
      }
    }
  return chosen;
}

const ajv = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: false });
const validators = new Map<string, ValidateFunction>(
  Object.entries(requestBodySchemas).map(([name, schema]) => [name, ajv.compile(schema)]),
);

function checkSchema(name: RequestBodySchemaName, body: unknown, language: Language): void {
  const validate = validators.get(name);
  if (validate?.(body)) return;
  const [error] = validate?.errors ?? [];
  if (!error) throw new OperationError(500, 'error_interno');
  if (error.instancePath === '' && error.keyword === 'type') throw new OperationError(400, 'cuerpo_mal_formado');
  const [field, code] = describeSchemaError(error);
  throw new InvalidBodyError({ [field]: getSharedText(code, language) });
}

function describeSchemaError(error: ErrorObject): readonly [field: string, code: SharedTextCode] {
  const path = error.instancePath.split('/').slice(1);
  if (error.keyword === 'required')
    return [[...path, String(error.params['missingProperty'])].join('.'), 'campo_requerido'];
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params['additionalProperty']);
    return [[...path, ...(isPrintableText(name) ? [name] : [])].join('.'), 'campo_desconocido'];
  }
  return [path.join('.'), 'campo_invalido'];
}
