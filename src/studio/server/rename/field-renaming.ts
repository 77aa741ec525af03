import { nameWithin, splitFieldName } from '../../../engine/core/field-path.ts';
import { pointerSteps, valueAt } from '../../../engine/core/json-pointer.ts';
import { asObject, type Json } from '../../../engine/core/json.ts';
import { asList } from '../../json-parts.ts';
import {
  formatPointer,
  replaceStrings,
  findState,
  statesAround,
  type JsonString,
  type Path,
  createLintRenamer,
  inWalks,
  type RenameContext,
  type Renaming,
} from './renamings.ts';
import type { Layer } from './shared-fields.ts';

/**
 * New name of a field. `from` is the full name (`domicilio.calle`, `telefonos.items.numero`), of which only the last step changes. Values and
 * messages use the index of an item instead: `telefonos.0.numero`.
 */
export class FieldRename {
  readonly from: string;
  readonly to: string;
  readonly #steps: readonly string[];
  readonly #last: string;

  constructor(from: string, last: string) {
    this.from = from;
    this.#steps = splitFieldName(from);
    this.#last = last;
    this.to = [...this.#steps.slice(0, -1), last].join('.');
  }

  get step(): string {
    return this.#steps.at(-1) ?? '';
  }

  get nextStep(): string {
    return this.#last;
  }

  get holder(): string {
    return this.#steps.slice(0, -1).join('.');
  }

  /** Innermost list whose items contain the field. `null` if there is none. */
  get list(): string | null {
    const items = this.#steps.lastIndexOf('items');
    return items > 0 ? this.#steps.slice(0, items).join('.') : null;
  }

  /** Renames the field in a name relative to `within`, if the name refers to the field or to one nested in it. */
  in(name: string, within: Path = []): string {
    const around = within.flatMap((step) => String(step).split('.'));
    const own = name.split('.');
    const isInto = this.#steps.every((step, at) => {
      const given = [...around, ...own][at] ?? '';
      return given === step || (step === 'items' && /^\d+$/.test(given));
    });
    const at = this.#steps.length - 1 - around.length;
    return isInto && at >= 0 ? own.with(at, this.#last).join('.') : name;
  }

  /** Renames the field in a variable of a rule, e.g. `form.domicilio.calle`, or `item.numero` in the items of its list. */
  read(path: string, isInItems = false): string {
    if (path.startsWith('form.')) return `form.${this.in(path.slice('form.'.length))}`;
    if (!isInItems || this.list === null || !path.startsWith('item.')) return path;
    return `item.${this.in(path.slice('item.'.length), [this.list, 'items'])}`;
  }

  /** Renames the field in HTML of the form, whose ids separate steps by hyphens. */
  drawn(html: string): string {
    const around = this.#steps.slice(0, -1).map((step) => `${step === 'items' ? '\\d+' : step}[.-]`);
    const before = `(?:data-field="|name="|[" #]field-)${around.join('')}`;
    return html.replaceAll(new RegExp(`(?<=${before})${this.step}(?=[" .-])`, 'g'), this.#last);
  }
}

/** Renames a field of a screen to the last step `around.to`. `naming`: keywords of rules that refer to other fields. */
export function createFieldRenaming(screen: string, around: RenameContext, naming: ReadonlySet<string>): Renaming {
  const field = new FieldRename(around.from, around.to);
  return {
    word: field.step,
    schema: (file) => (string) => inSchema(file, string, field, naming),
    ui: (file) => (string) => inUi(file, string, field),
    cases:
      () =>
      ({ path, isKey, value: own }) => {
        const [holder, ...steps] = path[0] === 'cases' ? path.slice(2) : path;
        if (!isKey) return holder === 'without' && steps.length === 1 ? field.in(own) : own;
        if (holder === 'errors' || holder === 'data' || holder === 'with') return keyIn(field, steps, own);
        return holder === 'context' && steps[0] === 'earlier' ? keyIn(field, steps.slice(1), own) : own;
      },
    snapshot: (html) => field.drawn(html),
    flow: (file, name) => {
      const own = around.states[name] ?? new Set();
      const concerned = statesAround(file, own);
      return (string) => {
        const state = findState(string.path);
        const isOther = own.size === 0 || (state !== null && !concerned.has(state));
        return isOther ? string.value : inFlow(file, string, field);
      };
    },
    walks: inWalks(around, ({ path, isKey, value: own }) => {
      const at = path.findLastIndex((step) => step === 'fill' || step === 'errors');
      if (isKey) return at >= 0 ? keyIn(field, path.slice(at + 1), own) : own;
      return path.at(-2) === 'error' && path.at(-1) === 'field' ? field.in(own) : own;
    }),
    reasons:
      (entries) =>
      ({ path: [index, key], isKey, value }) => {
        if (isKey || asObject(asList(entries)[Number(index)])['screen'] !== screen) return value;
        if (key === 'field') return field.in(value);
        return key === 'pointer' ? pointerOnScreen(field, value) : value;
      },
    lint: createLintRenamer((file, steps) =>
      file.startsWith(`schemas/${screen}/`) ? pointerSteps(pointerOnScreen(field, formatPointer(steps))) : steps,
    ),
  };
}

export function inDefinition(text: string, field: FieldRename, { pointer, holder }: Layer): string {
  const own = new FieldRename(nameWithin(holder, field.step), field.nextStep);
  const start = pointerSteps(pointer);
  return replaceStrings(text, () => ({ path, isKey, value }) => {
    if (path.length <= start.length || !start.every((step, at) => path[at] === step)) return value;
    const rest = path.slice(start.length);
    if (rest[0] === 'ui') return renameInTexts(own, rest.slice(1), isKey, value);
    if (isKey) return keyInSchema(own, rest);
    return namesBeside(own, rest) && value === own.step ? own.nextStep : value;
  });
}

function inSchema(file: Json, string: JsonString, field: FieldRename, naming: ReadonlySet<string>): string {
  const { path, isKey, value: own } = string;
  if (isKey) return path[0] === 'computed' && path.length === 2 ? field.in(own) : keyInSchema(field, path);
  if (namesBeside(field, path)) return own === field.step ? field.nextStep : own;
  if (path[0] === 'earlier') return field.in(own);
  if (path.some((step) => naming.has(String(step))))
    return field.in(own, isInItems(field, path) ? [field.list ?? '', 'items'] : []);
  if (own.startsWith('#/')) return `#${pointerInSchema(field, own.slice(1))}`;
  return readIn(file, string, field);
}

function inUi(file: Json, string: JsonString, field: FieldRename): string {
  const { path, isKey, value: own } = string;
  const [part, name] = path;
  if (part === 'fields') {
    const texts = renameInTexts(field, path.slice(1), isKey, own);
    return isKey || texts !== own ? texts : readIn(file, string, field);
  }
  if (isKey) return path.length === 2 && (part === 'messages' || part === 'visible') ? field.in(own) : own;
  if (part === 'sections' && path.at(-2) === 'fields') return field.in(own);
  const isInList = part === 'visible' && field.list !== null && String(name).startsWith(`${field.list}.items`);
  return readIn(file, string, field, isInList);
}

function renameInTexts(field: FieldRename, path: Path, isKey: boolean, own: string): string {
  if (isKey) return keyIn(field, path, own);
  if (path.at(-2) === 'ui:order')
    return path.slice(0, -2).join('.') === field.holder && own === field.step ? field.nextStep : own;
  const names = path.includes('ui:options') && String(path.at(-1)).endsWith('Field');
  return names ? field.in(own) : own;
}

function inFlow(file: Json, string: JsonString, field: FieldRename): string {
  const { path, isKey, value: own } = string;
  const prefill = path.lastIndexOf('prefill');
  if (isKey && prefill >= 0 && !own.startsWith('form.')) return keyIn(field, path.slice(prefill + 1), own);
  if (!isKey && ['clear', 'without'].includes(String(path.at(-2)))) return inPointer(field, own);
  if (!isKey && own === field.from && isComparedError(file, path)) return field.to;
  return readIn(file, string, field);
}

function readIn(file: Json, string: JsonString, field: FieldRename, isInItems = false): string {
  const read = field.read(string.value, isInItems);
  return read === string.value ? readInItem(field, file, string) : read;
}

function keyIn(field: FieldRename, path: Path, own: string): string {
  return field.in(own, path.slice(0, -1));
}

/** Renames the field in a pointer to its value: `/domicilio/calle`. */
function inPointer(field: FieldRename, pointer: string): string {
  const steps = pointerSteps(pointer);
  return formatPointer(steps.map((step, at) => field.in(step, steps.slice(0, at))));
}

function pointerOnScreen(field: FieldRename, pointer: string): string {
  const [part, name = '', ...rest] = pointerSteps(pointer);
  if (part === 'fields') return `/fields${inPointer(field, pointer.slice('/fields'.length))}`;
  if (part === 'messages' || part === 'visible' || part === 'computed')
    return formatPointer([part, field.in(name), ...rest]);
  return pointerInSchema(field, pointer);
}

/** JSON Schema keywords that apply to the same fields: with one subschema, and with a list of them. */
const applied: ReadonlySet<string> = new Set(['if', 'then', 'else', 'not']);
const listed: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'dependentSchemas', 'dependencies']);
const dependent: ReadonlySet<string> = new Set(['dependentRequired', 'dependentSchemas', 'dependencies']);

/** Returns the field or object that a path in a schema belongs to. Returns `null` inside any other keyword. */
function fieldAt(path: Path): string | null {
  const names: string[] = [];
  for (let at = 0; at < path.length;) {
    const word = String(path[at]);
    if (applied.has(word)) at += 1;
    else if (listed.has(word)) at += 2;
    else if (word === 'items') {
      names.push(word);
      at += 1;
    } else if (word === 'properties' && at + 1 < path.length) {
      names.push(String(path[at + 1]));
      at += 2;
    } else return null;
  }
  return names.join('.');
}

function keyInSchema(field: FieldRename, path: Path): string {
  const key = String(path.at(-1));
  const names = path.at(-2) === 'properties' || dependent.has(String(path.at(-2)));
  return names && key === field.step && fieldAt(path.slice(0, -2)) === field.holder ? field.nextStep : key;
}

/** Whether a string of a schema is the name of a sibling of the field, as in `required`. */
function namesBeside(field: FieldRename, path: Path): boolean {
  const isRequired = path.at(-2) === 'required' && fieldAt(path.slice(0, -2)) === field.holder;
  return isRequired || (dependent.has(String(path.at(-3))) && fieldAt(path.slice(0, -3)) === field.holder);
}

function pointerInSchema(field: FieldRename, pointer: string): string {
  const steps = pointerSteps(pointer);
  return formatPointer(steps.map((_, at) => keyInSchema(field, steps.slice(0, at + 1))));
}

function isInItems({ list }: FieldRename, path: Path): boolean {
  return list !== null && path.some((_, at) => fieldAt(path.slice(0, at + 1)) === `${list}.items`);
}

/** Operators that evaluate their second operand for each item of the first. */
const iterators: ReadonlySet<string | number> = new Set(['map', 'filter', 'all', 'none', 'some', 'reduce']);

/** Renames the field in a variable of an iterator, e.g. `current.numero` of "reduce" or `numero` of "some". Returns any other text unchanged. */
function readInItem(field: FieldRename, file: Json, { path, value }: JsonString): string {
  const at = path.findLastIndex((step, index) => iterators.has(step) && path[index + 1] === 1);
  const isRead = path.at(-1) === 'var' || (path.at(-2) === 'var' && path.at(-1) === 0);
  if (at < 0 || !isRead || field.list === null) return value;
  if (findList(valueAt(file, formatPointer([...path.slice(0, at + 1), 0]))) !== field.list) return value;
  const start = path[at] === 'reduce' ? 'current.' : '';
  return value.startsWith(start) ? start + field.in(value.slice(start.length), [field.list, 'items']) : value;
}

function findList(over: Json | undefined): string | null {
  const { var: path, filter } = asObject(over);
  if (Array.isArray(filter)) return findList(filter[0]);
  return typeof path === 'string' && path.startsWith('form.') ? path.slice('form.'.length) : null;
}

function isComparedError(file: Json, path: Path): boolean {
  if ([path.at(-1), path.at(-2)].includes('error.field')) return true;
  return [path.slice(0, -1), path.slice(0, -2)].some((around) =>
    asList(valueAt(file, formatPointer(around))).some((one) => asObject(one)['var'] === 'error.field'),
  );
}
