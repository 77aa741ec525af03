import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';

export type WrittenRules = Readonly<Record<string, Json>>;

/** Kind of a parameter. `lines` is a list of texts, one per line. */
type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'field' | 'fields' | 'lines';

export interface Parameter {
  /** Empty if it is the only parameter, without a name. */
  readonly name: string;
  /** `undefined` if it can only be displayed. */
  readonly kind: Kind | undefined;
  readonly required: boolean;
  readonly value: Json | undefined;
}

/** Returns the parameters that the schema of a rule declares, with their values in the definition. */
export function parametersOf(schema: JsonObject, written: Json): readonly Parameter[] {
  const forms = formsOf(schema);
  const [named] = forms.filter(isOfNames);
  if (named && (isObject(written) || written === constantOf(forms))) {
    const own = isObject(written) ? (written as JsonObject) : {};
    const required = requiredOf(named);
    return Object.entries(named['properties']).flatMap(([name, part]) => {
      const [kind, value] = [kindOf(part), own[name]];
      return kind === undefined && value === undefined
        ? []
        : [{ name, kind, required: required.includes(name), value }];
    });
  }
  if (written === constantOf(forms)) return [];
  const kinds = forms.map(kindOf).filter((kind) => kind !== undefined);
  return [{ name: '', kind: kinds[0], required: true, value: written }];
}

/** Returns the initial value of a rule. */
export function blankOf(schema: JsonObject): Json {
  const forms = formsOf(schema);
  const constant = constantOf(forms);
  if (constant !== undefined) return constant;
  const [named] = forms.filter(isOfNames);
  if (!named) return emptyOf(kindOf(forms[0])) ?? '';
  return Object.fromEntries(
    requiredOf(named).flatMap((name): readonly (readonly [string, Json])[] => {
      const empty = emptyOf(kindOf(named['properties'][name]));
      return empty === undefined ? [] : [[name, empty]];
    }),
  );
}

/** Returns the empty value of a kind, or `undefined` if the user must enter one. */
function emptyOf(kind: Kind | undefined): Json | undefined {
  if (kind === 'boolean') return false;
  return kind === 'fields' || kind === 'lines' ? [] : undefined;
}

/** Sets a parameter. `undefined` removes it. */
export function withParameter(schema: JsonObject, written: Json, name: string, value: Json | undefined): Json {
  if (name === '') return value ?? '';
  const { [name]: _, ...others } = isObject(written) ? (written as JsonObject) : {};
  const next: JsonObject = value === undefined ? others : { ...(isObject(written) ? written : {}), [name]: value };
  const constant = constantOf(formsOf(schema));
  return Object.keys(next).length === 0 && constant !== undefined ? constant : next;
}

/** Parses the input of a parameter. Returns `undefined` if it is empty. An unfinished number such as `0.` stays a text. */
export function readParameter(kind: Kind | undefined, typed: string): Json | undefined {
  if (typed === '') return undefined;
  if (kind === 'lines') return typed.split('\n');
  const isNumber = (kind === 'number' || kind === 'integer') && String(Number(typed)) === typed;
  return isNumber ? Number(typed) : typed;
}

/** Formats a parameter for its input, or for display if it is read-only. */
export function shownParameter({ kind, value }: Pick<Parameter, 'kind' | 'value'>): string {
  if (Array.isArray(value)) return value.map(String).join(kind === 'lines' ? '\n' : ', ');
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

type OfNames = JsonObject & { readonly properties: Readonly<Record<string, Json>> };

function isOfNames(form: JsonObject): form is OfNames {
  return isObject(form['properties']);
}

function formsOf(schema: JsonObject): readonly JsonObject[] {
  const { anyOf } = schema;
  return (Array.isArray(anyOf) ? anyOf : [schema]).filter(isObject) as readonly JsonObject[]; // a JSON Schema
}

/** Returns the value of a rule without parameters, or `undefined` if it needs some. */
function constantOf(forms: readonly JsonObject[]): Json | undefined {
  return forms.find((form) => form['const'] !== undefined)?.['const'];
}

function requiredOf({ required }: JsonObject): readonly string[] {
  return Array.isArray(required) ? (required as readonly string[]) : []; // a JSON Schema
}

function kindOf(part: Json | undefined): Kind | undefined {
  if (!isObject(part)) return undefined;
  const { type, items, names } = part as JsonObject;
  if (names === 'field') return 'field';
  if (type === 'array') {
    const of = kindOf(items);
    return of === 'field' ? 'fields' : of === 'string' ? 'lines' : undefined;
  }
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean' ? type : undefined;
}
