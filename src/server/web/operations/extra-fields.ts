import { contract, type Operation, type OperationName } from '../../../contract/contract.ts';
import type { Definitions } from '../../../engine/compiler/definitions.ts';
import { stepsOfName } from '../../../engine/core/field-path.ts';
import type { Values } from '../../../engine/core/json.ts';
import type { ExtraField } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { textOf } from '../../platform/base/texts.ts';

/** Maximum size in bytes of the stored extra fields of one body. */
const limitBytes = 8_192;

/** Extra fields are stored in the language of the desk. */
const language = 'es';

/** Returns the screens whose validators check the body of an operation. Returns `undefined` if there are none. */
export function screensOf(name: OperationName, definitions: Definitions): string | readonly string[] | undefined {
  const { screen, extra }: Operation = contract[name];
  const sent = extra ? definitions.screensSentBy(name) : [];
  return sent.length === 0 ? screen : [...new Set([screen ?? [], sent].flat())];
}

/** Returns the fields of a checked body that its row does not name, with the titles of the screens. Throws a 413 if they are too large. */
export function extraFields(name: OperationName, body: Values, definitions: Definitions): readonly ExtraField[] {
  const { reads = {}, optional = [] }: Operation = contract[name];
  const known = new Set([...Object.keys(reads), ...optional, 'captcha_response']);
  const words = { ticked: textOf('casilla_marcada', language), empty: textOf('casilla_vacia', language) };
  const fields = definitions
    .titled(screensOf(name, definitions) ?? [], body, words)
    .filter(({ field }) => !known.has(stepsOfName(field)[0] ?? field))
    .map(({ field, title, text }) => ({ campo: field, titulo: title, valor: text }));
  if (Buffer.byteLength(JSON.stringify(fields)) > limitBytes) throw new OperationError(413, 'cuerpo_demasiado_grande');
  return fields;
}
