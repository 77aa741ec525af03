import { nameWithin } from '../../../engine/core/field-path.ts';
import { pointerSteps } from '../../../engine/core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import { FieldName } from './field-name.ts';
import { pointerOf, stateOf, statesAround } from './in-flow.ts';
import { isComparedError, readInItem } from './in-rules.ts';
import { isInItems, keyInSchema, namesBeside, pointerInSchema } from './in-schema.ts';
import { inLint, inWalks, nothing, type Around, type Renaming } from './renamings.ts';
import { replaceStrings, type JsonString } from './replace-strings.ts';
import type { Layer } from './shared-fields.ts';

type Path = JsonString['path'];

/** Renames a field of a screen to the last step `around.to`. `naming`: keywords of rules that refer to other fields. */
export function renamingOfField(screen: string, around: Around, naming: ReadonlySet<string>): Renaming {
  const field = new FieldName(around.from, around.to);
  return {
    ...nothing,
    schema: (text) => inSchema(text, field, naming),
    ui: (text) => inUi(text, field),
    cases: (text) =>
      replaceStrings(text, ({ path, isKey, value: own }) => {
        const within = path[0] === 'cases' ? path.slice(2) : path;
        const [holder, ...steps] = within;
        if (!isKey) return holder === 'without' && steps.length === 1 ? field.in(own) : own;
        if (holder === 'errors' || holder === 'data' || holder === 'with') return keyIn(field, steps, own);
        return holder === 'context' && steps[0] === 'earlier' ? keyIn(field, steps.slice(1), own) : own;
      }),
    snapshot: (text) => field.drawn(text),
    flow: (flow, text) => {
      const own = around.states[flow] ?? new Set();
      if (own.size === 0) return text;
      const meant = statesAround(JSON.parse(text) as Json, own);
      return replaceStrings(text, (string, file) => {
        const state = stateOf(string.path);
        return state !== null && !meant.has(state) ? string.value : inFlow(file, string, field);
      });
    },
    walks: (flow, text) =>
      inWalks(around, flow, text, ({ path, isKey, value: own }) => {
        const at = path.findLastIndex((step) => step === 'fill' || step === 'errors');
        if (isKey) return at >= 0 ? keyIn(field, path.slice(at + 1), own) : own;
        return path.at(-2) === 'error' && path.at(-1) === 'field' ? field.in(own) : own;
      }),
    reasons: (text) => inReasons(text, screen, field),
    lint: (text) =>
      inLint(text, (file, steps) =>
        file.startsWith(`schemas/${screen}/`) ? pointerSteps(pointerOnScreen(field, pointerOf(steps))) : steps,
      ),
  };
}

/** Renames a field in a shared definition or in its texts. */
export function inDefinition(text: string, field: FieldName, { pointer, holder }: Layer): string {
  const own = new FieldName(nameWithin(holder, field.step), field.nextStep);
  const start = pointerSteps(pointer);
  return replaceStrings(text, ({ path, isKey, value }) => {
    if (path.length <= start.length || !start.every((step, at) => path[at] === step)) return value;
    const rest = path.slice(start.length);
    if (rest[0] === 'ui') return ofTexts(own, rest.slice(1), isKey, value);
    if (isKey) return keyInSchema(own, rest);
    return namesBeside(own, rest) && value === own.step ? own.nextStep : value;
  });
}

function inSchema(text: string, field: FieldName, naming: ReadonlySet<string>): string {
  return replaceStrings(text, (string, file) => {
    const { path, isKey, value: own } = string;
    if (isKey) return path[0] === 'computed' && path.length === 2 ? field.in(own) : keyInSchema(field, path);
    if (namesBeside(field, path)) return own === field.step ? field.nextStep : own;
    if (path[0] === 'earlier') return field.in(own);
    if (path.some((step) => naming.has(String(step))))
      return field.in(own, isInItems(field, path) ? [field.list ?? '', 'items'] : []);
    if (own.startsWith('#/')) return `#${pointerInSchema(field, own.slice(1))}`;
    return readIn(file, string, field);
  });
}

function inUi(text: string, field: FieldName): string {
  return replaceStrings(text, (string, file) => {
    const { path, isKey, value: own } = string;
    const [part, name] = path;
    if (part === 'fields') {
      const texts = ofTexts(field, path.slice(1), isKey, own);
      return isKey || texts !== own ? texts : readIn(file, string, field);
    }
    if (isKey) return path.length === 2 && (part === 'messages' || part === 'visible') ? field.in(own) : own;
    if (part === 'sections' && path.at(-2) === 'fields') return field.in(own);
    const isInList = part === 'visible' && field.list !== null && String(name).startsWith(`${field.list}.items`);
    return readIn(file, string, field, isInList);
  });
}

function ofTexts(field: FieldName, path: Path, isKey: boolean, own: string): string {
  if (isKey) return keyIn(field, path, own);
  if (path.at(-2) === 'ui:order')
    return path.slice(0, -2).join('.') === field.holder && own === field.step ? field.nextStep : own;
  const names = path.includes('ui:options') && String(path.at(-1)).endsWith('Field');
  return names ? field.in(own) : own;
}

function inFlow(file: Json, string: JsonString, field: FieldName): string {
  const { path, isKey, value: own } = string;
  const prefill = path.lastIndexOf('prefill');
  if (isKey && prefill >= 0 && !own.startsWith('form.')) return keyIn(field, path.slice(prefill + 1), own);
  if (!isKey && ['clear', 'without'].includes(String(path.at(-2)))) return inPointer(field, own);
  if (!isKey && own === field.from && isComparedError(file, path)) return field.to;
  return readIn(file, string, field);
}

function readIn(file: Json, string: JsonString, field: FieldName, isInItems = false): string {
  const read = field.read(string.value, isInItems);
  return read === string.value ? readInItem(field, file, string) : read;
}

/** Renames a key in nested values or texts. `path` leads to it. */
function keyIn(field: FieldName, path: Path, own: string): string {
  return field.in(own, path.slice(0, -1));
}

/** Renames the field in a pointer to its value: `/domicilio/calle`. */
function inPointer(field: FieldName, pointer: string): string {
  const steps = pointerSteps(pointer);
  return pointerOf(steps.map((step, at) => field.in(step, steps.slice(0, at))));
}

function pointerOnScreen(field: FieldName, pointer: string): string {
  const [part, name = '', ...rest] = pointerSteps(pointer);
  if (part === 'fields') return `/fields${inPointer(field, pointer.slice('/fields'.length))}`;
  if (part === 'messages' || part === 'visible' || part === 'computed')
    return pointerOf([part, field.in(name), ...rest]);
  return pointerInSchema(field, pointer);
}

function inReasons(text: string, screen: string, field: FieldName): string {
  const entries = JSON.parse(text) as readonly Json[]; // checked against its format
  return replaceStrings(text, ({ path: [index, key], isKey, value }) => {
    const entry = entries[Number(index)];
    if (isKey || !isObject(entry) || (entry as JsonObject)['screen'] !== screen) return value;
    if (key === 'field') return field.in(value);
    return key === 'pointer' ? pointerOnScreen(field, value) : value;
  });
}
