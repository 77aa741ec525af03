import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';

/** The parameters of rules of plugins by keyword, as they are written. */
export type WrittenRules = Readonly<Record<string, Json>>;

/** How a parameter of a rule is given; `lines`: a text a line. */
type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'field' | 'fields' | 'lines';

/** A parameter that a rule of a plugin takes. */
export interface Parameter {
  /** Empty: the rule has this one alone. */
  readonly name: string;
  /** Absent: it is shown alone. */
  readonly kind: Kind | undefined;
  readonly required: boolean;
  readonly value: Json | undefined;
}

/** The parameters that the schema of a rule declares, in the form in which they are written. */
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

/** What a rule has whose parameters are not given yet. */
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

/** What nothing chosen is; undefined of what must be typed. */
function emptyOf(kind: Kind | undefined): Json | undefined {
  if (kind === 'boolean') return false;
  return kind === 'fields' || kind === 'lines' ? [] : undefined;
}

/** Gives a parameter another value; undefined: it is left out. */
export function withParameter(schema: JsonObject, written: Json, name: string, value: Json | undefined): Json {
  if (name === '') return value ?? '';
  const { [name]: _, ...others } = isObject(written) ? (written as JsonObject) : {};
  const next: JsonObject = value === undefined ? others : { ...(isObject(written) ? written : {}), [name]: value };
  const constant = constantOf(formsOf(schema));
  return Object.keys(next).length === 0 && constant !== undefined ? constant : next;
}

/** A typed text as the value of a parameter; undefined: nothing was typed. A number that is not whole yet, e.g. `0.`, stays what was typed. */
export function readParameter(kind: Kind | undefined, typed: string): Json | undefined {
  if (typed === '') return undefined;
  if (kind === 'lines') return typed.split('\n');
  const isNumber = (kind === 'number' || kind === 'integer') && String(Number(typed)) === typed;
  return isNumber ? Number(typed) : typed;
}

/** The value of a parameter as it is typed, or shown where it cannot be. */
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

/** What a rule is written as that needs no parameters; undefined: it needs some. */
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
