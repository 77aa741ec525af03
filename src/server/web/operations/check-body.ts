import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { bodies, type BodyName } from '../../../contract/payloads.ts';
import type { Operation } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/portal-config.ts';
import type { Definitions } from '../../../engine/compiler/definitions.ts';
import { isObject, type Values } from '../../../engine/core/json.ts';
import { isEmpty } from '../../../engine/core/validate.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { RefusedBody } from '../../platform/base/refused-body.ts';
import { textOf, type SharedText } from '../../platform/base/texts.ts';
import { isPlainText, unplainField } from '../../platform/http/plain-text.ts';

/** What the check of one body is made of. */
export interface BodyCheck {
  readonly operation: Operation;
  /** The screens whose validators check it. */
  readonly screens: string | readonly string[] | undefined;
  readonly body: unknown;
  readonly language: Language;
  readonly definitions: Definitions;
  /** Facts of the server for the screen's validator; asked for only where a screen checks the body. */
  readonly context: () => Promise<Values>;
  /** Hash of the rules that the form, or the forms of a way, were drawn from, as the browser sent it. */
  readonly formVersion: string | undefined;
}

/** Throws RefusedBody or CallError where a body is not of the shape and size of its schema: what can be told before the try is counted. */
export function checkShape({ operation, body, language }: Pick<BodyCheck, 'operation' | 'body' | 'language'>): void {
  if (operation.body !== undefined) checkSchema(operation.body, body, language);
  else if (operation.screen !== undefined && !isObject(body)) throw new OperationError(400, 'cuerpo_mal_formado');
  const unplain = unplainField(body); // behind the schema: it walks all that is there
  if (unplain !== null) throw new RefusedBody({ [unplain]: textOf('caracteres_no_admitidos', language) });
}

/** Answers the body that its schema or its screen's validator let through; throws RefusedBody or CallError. Its shape was checked. */
export async function checkBody(check: BodyCheck): Promise<unknown> {
  const { operation, body } = check;
  if (operation.body !== undefined) return body;
  return check.screens !== undefined && isObject(body) ? checkScreen(check.screens, body, check) : {};
}

async function checkScreen(
  screen: string | readonly string[],
  body: Values,
  { operation, language, definitions, context, formVersion }: BodyCheck,
): Promise<Values> {
  const facts = await context();
  const { data, errors: found } = definitions.check(screen, withChosenValues(screen, body, definitions), {
    language,
    context: facts,
  });
  const missed = (operation.optional ?? []).filter((name) => isEmpty(data[name]));
  const errors = Object.fromEntries(Object.entries(found).filter(([name]) => !missed.includes(name)));
  if (Object.keys(errors).length === 0) return data;
  if (formVersion !== undefined && formVersion !== definitions.screenVersion(screen, facts, body)) {
    throw new OperationError(409, 'formulario_cambiado');
  }
  throw new RefusedBody(errors);
}

/** A body whose choices are values. Independent clients know some by their label only: the specification shows no values of the booking's subjects. */
function withChosenValues(screen: string | readonly string[], body: Values, definitions: Definitions): Values {
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
  Object.entries(bodies).map(([name, schema]) => [name, ajv.compile(schema)]),
);

function checkSchema(name: BodyName, body: unknown, language: Language): void {
  const validate = validators.get(name);
  if (validate?.(body)) return;
  const [error] = validate?.errors ?? [];
  if (!error) throw new OperationError(500, 'error_interno');
  if (error.instancePath === '' && error.keyword === 'type') throw new OperationError(400, 'cuerpo_mal_formado');
  const [field, code] = describe(error);
  throw new RefusedBody({ [field]: textOf(code, language) });
}

function describe(error: ErrorObject): readonly [field: string, code: SharedText] {
  const path = error.instancePath.split('/').slice(1);
  if (error.keyword === 'required')
    return [[...path, String(error.params['missingProperty'])].join('.'), 'campo_requerido'];
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params['additionalProperty']);
    return [[...path, ...(isPlainText(name) ? [name] : [])].join('.'), 'campo_desconocido'];
  }
  return [path.join('.'), 'campo_invalido'];
}
