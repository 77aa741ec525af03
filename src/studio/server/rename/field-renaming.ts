import { joinFieldName, splitFieldName, parseFieldVariable } from '../../../engine/core/field-path.ts';
import { splitPointer, findByPointer } from '../../../engine/core/json-pointer.ts';
import { asObject, type Json } from '../../../engine/core/json.ts';
import { asListOrEmpty } from '../../json-values.ts';
import {
  formatJsonPointer,
  replaceJsonStrings,
  findStateInPath,
  listEnclosingStates,
  type JsonString,
  type JsonPath,
  createLintRenamer,
  createScenarioRenamer,
  type RenameContext,
  type DefinitionRenaming,
} from './definition-renamings.ts';
import type { SchemaObjectLocation } from './shared-fields.ts';
import { renameFieldInProposedCaseName } from '../../../cli/definitions/cases/proposed-cases.ts';
import { buildAcceptedCaseName } from '../../editor/fields/new-field.ts';

/** Rename of a field. Only the last segment of `from` changes. Test values have an index in place of `items`: `telefonos.0.numero`. */
export class FieldRename {
  readonly from: string;
  readonly to: string;
  readonly lastSegment: string;
  readonly newLastSegment: string;
  readonly parentName: string;
  /** Innermost list whose items contain the field. `null` if there is none. */
  readonly enclosingList: string | null;
  readonly #steps: readonly string[];

  constructor(from: string, last: string) {
    this.from = from;
    this.#steps = splitFieldName(from);
    this.lastSegment = this.#steps.at(-1) ?? '';
    this.newLastSegment = last;
    this.parentName = this.#steps.slice(0, -1).join('.');
    this.to = joinFieldName(this.parentName, last);
    const items = this.#steps.lastIndexOf('items');
    this.enclosingList = items > 0 ? this.#steps.slice(0, items).join('.') : null;
  }

  /** Renames the field in a name that is relative to `within`, also if the name is that of a field nested in it. Returns other names unchanged. */
  renameInName(name: string, within: JsonPath = []): string {
    const outerSegments = within.flatMap((step) => String(step).split('.'));
    const own = name.split('.');
    const isInto = this.#steps.every((step, at) => {
      const segment = [...outerSegments, ...own][at] ?? '';
      return segment === step || (step === 'items' && /^\d+$/.test(segment));
    });
    const at = this.#steps.length - 1 - outerSegments.length;
    return isInto && at >= 0 ? own.with(at, this.newLastSegment).join('.') : name;
  }

  /** Renames the field in a variable of a rule: `form.domicilio.calle`, or `item.numero` if the rule belongs to the items of the field's list. */
  renameInVariable(path: string, isInItems = false): string {
    const field = parseFieldVariable(path);
    if (field !== undefined) return `form.${this.renameInName(field)}`;
    if (!isInItems || this.enclosingList === null || !path.startsWith('item.')) return path;
    return `item.${this.renameInName(path.slice('item.'.length), [this.enclosingList, 'items'])}`;
  }

  /** Renames the field in rendered HTML, in whose ids hyphens separate the segments of a name. */
  renameInHtml(html: string): string {
    const outerPattern = this.#steps.slice(0, -1).map((step) => `${step === 'items' ? '\\d+' : step}[.-]`);
    const before = `(?:data-field="|name="|[" #]field-)${outerPattern.join('')}`;
    return html.replaceAll(new RegExp(`(?<=${before})${this.lastSegment}(?=[" .-])`, 'g'), this.newLastSegment);
  }
}

/** `naming` contains the rule keywords that refer to other fields. */
export function createFieldRenaming(
  screen: string,
  around: RenameContext,
  naming: ReadonlySet<string>,
): DefinitionRenaming {
  const field = new FieldRename(around.from, around.to);
  return {
    word: field.lastSegment,
    schema: (file) => (string) => renameInSchema(file, string, field, naming),
    ui: (file) => (string) => renameInUi(file, string, field),
    cases:
      () =>
      ({ path, isKey, value: own }) => {
        const [holder, ...steps] = path[0] === 'cases' ? path.slice(2) : path;
        const isOfCase = path[0] === 'cases' && path.length <= 3;
        if (isOfCase && holder === undefined && isKey) return renameCase(field, own);
        if (isOfCase && holder === 'note' && !isKey) return renameNote(field, String(path[1]), own);
        if (!isKey) return holder === 'without' && steps.length === 1 ? field.renameInName(own) : own;
        if (holder === 'errors' || holder === 'data' || holder === 'with') return renameKey(field, steps, own);
        return holder === 'context' && steps[0] === 'earlier' ? renameKey(field, steps.slice(1), own) : own;
      },
    snapshot: (html) => field.renameInHtml(html),
    flow: (file, name) => {
      const own = around.states[name] ?? new Set();
      const concerned = listEnclosingStates(file, own);
      return (string) => {
        const state = findStateInPath(string.path);
        const isOther = own.size === 0 || (state !== null && !concerned.has(state));
        return isOther ? string.value : renameInFlow(file, string, field);
      };
    },
    walks: createScenarioRenamer(around, ({ path, isKey, value: own }) => {
      const at = path.findLastIndex((step) => step === 'fill' || step === 'errors');
      if (isKey) return at >= 0 ? renameKey(field, path.slice(at + 1), own) : own;
      return path.at(-2) === 'error' && path.at(-1) === 'field' ? field.renameInName(own) : own;
    }),
    reasons:
      (entries) =>
      ({ path: [index, key], isKey, value }) => {
        if (isKey || asObject(asListOrEmpty(entries)[Number(index)])['screen'] !== screen) return value;
        if (key === 'field') return field.renameInName(value);
        return key === 'pointer' ? renameScreenPointer(field, value) : value;
      },
    lint: createLintRenamer((file, steps) =>
      file.startsWith(`schemas/${screen}/`)
        ? splitPointer(renameScreenPointer(field, formatJsonPointer(steps)))
        : steps,
    ),
  };
}

function renameCase(field: FieldRename, name: string): string {
  const [before, after] = [field.lastSegment, field.newLastSegment].map(buildAcceptedCaseName);
  const isAccepted = new RegExp(`^${before}(?:-\\d+)?$`).test(name);
  return isAccepted
    ? name.replace(before ?? '', after ?? '')
    : renameFieldInProposedCaseName(name, (own) => field.renameInName(own));
}

function renameNote(field: FieldRename, name: string, note: string): string {
  const isGenerated = renameFieldInProposedCaseName(name, (own) => field.renameInName(own)) !== name;
  return isGenerated ? note.replace(/"([\w.]+)"/, (_, own: string) => `"${field.renameInName(own)}"`) : note;
}

export function renameFieldInDefinition(
  text: string,
  field: FieldRename,
  { pointer, holder }: SchemaObjectLocation,
): string {
  const own = new FieldRename(joinFieldName(holder, field.lastSegment), field.newLastSegment);
  const start = splitPointer(pointer);
  return replaceJsonStrings(text, () => ({ path, isKey, value }) => {
    if (path.length <= start.length || !start.every((step, at) => path[at] === step)) return value;
    const rest = path.slice(start.length);
    if (rest[0] === 'ui') return renameInTexts(own, rest.slice(1), isKey, value);
    if (isKey) return renameSchemaKey(own, rest);
    return isSiblingName(own, rest) && value === own.lastSegment ? own.newLastSegment : value;
  });
}

function renameInSchema(file: Json, string: JsonString, field: FieldRename, naming: ReadonlySet<string>): string {
  const { path, isKey, value: own } = string;
  if (isKey)
    return path[0] === 'computed' && path.length === 2 ? field.renameInName(own) : renameSchemaKey(field, path);
  if (isSiblingName(field, path)) return own === field.lastSegment ? field.newLastSegment : own;
  if (path[0] === 'earlier') return field.renameInName(own);
  if (path.some((step) => naming.has(String(step))))
    return field.renameInName(own, isInItems(field, path) ? [field.enclosingList ?? '', 'items'] : []);
  if (own.startsWith('#/')) return `#${renameSchemaPointer(field, own.slice(1))}`;
  return renameVariable(file, string, field);
}

function renameInUi(file: Json, string: JsonString, field: FieldRename): string {
  const { path, isKey, value: own } = string;
  const [part, name] = path;
  if (part === 'fields') {
    const texts = renameInTexts(field, path.slice(1), isKey, own);
    return isKey || texts !== own ? texts : renameVariable(file, string, field);
  }
  if (isKey) return path.length === 2 && (part === 'messages' || part === 'visible') ? field.renameInName(own) : own;
  if (part === 'sections' && path.at(-2) === 'fields') return field.renameInName(own);
  const isInList =
    part === 'visible' && field.enclosingList !== null && String(name).startsWith(`${field.enclosingList}.items`);
  return renameVariable(file, string, field, isInList);
}

function renameInTexts(field: FieldRename, path: JsonPath, isKey: boolean, own: string): string {
  if (isKey) return renameKey(field, path, own);
  if (path.at(-2) === 'ui:order')
    return path.slice(0, -2).join('.') === field.parentName && own === field.lastSegment ? field.newLastSegment : own;
  const names = path.includes('ui:options') && String(path.at(-1)).endsWith('Field');
  return names ? field.renameInName(own) : own;
}

function renameInFlow(file: Json, string: JsonString, field: FieldRename): string {
  const { path, isKey, value: own } = string;
  const prefill = path.lastIndexOf('prefill');
  if (isKey && prefill >= 0 && !own.startsWith('form.')) return renameKey(field, path.slice(prefill + 1), own);
  if (!isKey && ['clear', 'without'].includes(String(path.at(-2)))) return renamePointer(field, own);
  if (!isKey && own === field.from && isComparedError(file, path)) return field.to;
  return renameVariable(file, string, field);
}

function renameVariable(file: Json, string: JsonString, field: FieldRename, isInItems = false): string {
  const read = field.renameInVariable(string.value, isInItems);
  return read === string.value ? renameItemVariable(field, file, string) : read;
}

function renameKey(field: FieldRename, path: JsonPath, own: string): string {
  return field.renameInName(own, path.slice(0, -1));
}

/** Renames the field in a pointer to its value: `/domicilio/calle`. */
function renamePointer(field: FieldRename, pointer: string): string {
  const steps = splitPointer(pointer);
  return formatJsonPointer(steps.map((step, at) => field.renameInName(step, steps.slice(0, at))));
}

function renameScreenPointer(field: FieldRename, pointer: string): string {
  const [part, name = '', ...rest] = splitPointer(pointer);
  if (part === 'fields') return `/fields${renamePointer(field, pointer.slice('/fields'.length))}`;
  if (part === 'messages' || part === 'visible' || part === 'computed')
    return formatJsonPointer([part, field.renameInName(name), ...rest]);
  return renameSchemaPointer(field, pointer);
}

/** Keywords whose subschemas apply to the same fields. Those of `listApplicators` have a list or map of them. */
const applicators: ReadonlySet<string> = new Set(['if', 'then', 'else', 'not']);
const listApplicators: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'dependentSchemas', 'dependencies']);
const dependencyKeywords: ReadonlySet<string> = new Set(['dependentRequired', 'dependentSchemas', 'dependencies']);

/** Returns `null` if the path contains a keyword whose value has no fields. */
function findFieldAt(path: JsonPath): string | null {
  const names: string[] = [];
  for (let at = 0; at < path.length;) {
    const word = String(path[at]);
    if (applicators.has(word)) at += 1;
    else if (listApplicators.has(word)) at += 2;
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

function renameSchemaKey(field: FieldRename, path: JsonPath): string {
  const key = String(path.at(-1));
  const names = path.at(-2) === 'properties' || dependencyKeywords.has(String(path.at(-2)));
  return names && key === field.lastSegment && findFieldAt(path.slice(0, -2)) === field.parentName
    ? field.newLastSegment
    : key;
}

/** Whether a string of a schema is the name of a property in the same object as the field, as in `required`. */
function isSiblingName(field: FieldRename, path: JsonPath): boolean {
  const isRequired = path.at(-2) === 'required' && findFieldAt(path.slice(0, -2)) === field.parentName;
  return (
    isRequired || (dependencyKeywords.has(String(path.at(-3))) && findFieldAt(path.slice(0, -3)) === field.parentName)
  );
}

function renameSchemaPointer(field: FieldRename, pointer: string): string {
  const steps = splitPointer(pointer);
  return formatJsonPointer(steps.map((_, at) => renameSchemaKey(field, steps.slice(0, at + 1))));
}

function isInItems({ enclosingList: list }: FieldRename, path: JsonPath): boolean {
  return list !== null && path.some((_, at) => findFieldAt(path.slice(0, at + 1)) === `${list}.items`);
}

/** Operators that evaluate their second operand for each item of the first. */
const iterators: ReadonlySet<string | number> = new Set(['map', 'filter', 'all', 'none', 'some', 'reduce']);

/** Variables of list items are `current.numero` in "reduce", and `numero` in "some". */
function renameItemVariable(field: FieldRename, file: Json, { path, value }: JsonString): string {
  const at = path.findLastIndex((step, index) => iterators.has(step) && path[index + 1] === 1);
  const isRead = path.at(-1) === 'var' || (path.at(-2) === 'var' && path.at(-1) === 0);
  if (at < 0 || !isRead || field.enclosingList === null) return value;
  if (findList(findByPointer(file, formatJsonPointer([...path.slice(0, at + 1), 0]))) !== field.enclosingList)
    return value;
  const start = path[at] === 'reduce' ? 'current.' : '';
  return value.startsWith(start)
    ? start + field.renameInName(value.slice(start.length), [field.enclosingList, 'items'])
    : value;
}

function findList(over: Json | undefined): string | undefined {
  const { var: path, filter } = asObject(over);
  return Array.isArray(filter) ? findList(filter[0]) : parseFieldVariable(path);
}

function isComparedError(file: Json, path: JsonPath): boolean {
  if ([path.at(-1), path.at(-2)].includes('error.field')) return true;
  return [path.slice(0, -1), path.slice(0, -2)].some((around) =>
    asListOrEmpty(findByPointer(file, formatJsonPointer(around))).some((one) => asObject(one)['var'] === 'error.field'),
  );
}
