import { isObject, type Json, type JsonObject, type ValuesByName } from '../../../src/engine/core/json.ts';

type Random = () => number;

const pick = <One>(all: readonly One[], random: Random): One => all[Math.floor(random() * all.length)]!;

/**
 * Generator of random documents for a schema. Most values are near the limits of the schema, so that some are valid and
 * some are not.
 */
export class RandomValues {
  readonly #schema: JsonObject;
  readonly #random: Random;

  /** `schema` must be self-contained: its references point into the schema itself. */
  constructor(schema: JsonObject, random: Random) {
    this.#schema = schema;
    this.#random = random;
  }

  /** Returns a new document, or a copy of `given` in which a few fields are changed or removed. */
  near(given: ValuesByName = {}): ValuesByName {
    const drawn = this.#object([this.#schema], 0) as ValuesByName; // the cast is safe, because the schema describes an object
    const names = new Set([...Object.keys(given), ...Object.keys(drawn)]);
    const isNew = (name: string) =>
      !Object.hasOwn(given, name) ? this.#random() < (Object.keys(given).length === 0 ? 1 : 0.3) : this.#random() < 0.3;
    return Object.fromEntries(
      [...names].flatMap((name) => {
        const from = isNew(name) ? drawn : given;
        return Object.hasOwn(from, name) ? [[name, from[name]]] : [];
      }),
    );
  }

  /** Generates a value for a field that several subschemas may constrain. */
  #value(parts: readonly JsonObject[], depth: number): Json {
    const part = pick(
      parts.map((one) => this.#resolved(one)),
      this.#random,
    );
    const alternatives = ['oneOf', 'anyOf', 'allOf'].flatMap((word) => objects(part[word]));
    if (alternatives.length > 0 && part['type'] !== 'object') return this.#value(alternatives, depth);
    if (this.#random() < 0.06) return pick<Json>(['x', 7, true, ['x'], 1.5], this.#random);
    if (part['const'] !== undefined) return part['const'];
    if (Array.isArray(part['enum'])) return pick<Json>(part['enum'], this.#random);
    const type = pick([part['type'] ?? 'string'].flat(), this.#random);
    if (type === 'object') return depth > 3 ? {} : this.#object([part], depth);
    if (type === 'array') return this.#array(part, depth);
    if (type === 'boolean') return this.#random() < 0.5;
    if (type === 'null') return null;
    return type === 'string' ? this.#text(part) : this.#number(part);
  }

  #object(parts: readonly JsonObject[], depth: number): Json {
    const fields = new Map<string, JsonObject[]>();
    for (const part of parts) this.#collect(part, fields);
    const drawn = [...fields].filter(() => this.#random() < 0.7);
    return Object.fromEntries(drawn.map(([name, own]) => [name, this.#value(own, depth + 1)]));
  }

  /** Collects the subschemas of each field, including conditional ones. */
  #collect(part: JsonObject, into: Map<string, JsonObject[]>): void {
    const schema = this.#resolved(part);
    for (const [name, own] of Object.entries(isObject(schema['properties']) ? schema['properties'] : {}))
      if (isObject(own)) into.set(name, [...(into.get(name) ?? []), own as JsonObject]);
    const more = [
      ...['if', 'then', 'else'].map((word) => schema[word]),
      ...Object.values(schema['dependentSchemas'] ?? {}),
    ];
    const lists = ['allOf', 'oneOf', 'anyOf'].flatMap((word) => objects(schema[word]));
    for (const inner of [...objects(more), ...lists]) this.#collect(inner, into);
  }

  #array(part: JsonObject, depth: number): Json {
    const places = objects(part['prefixItems'] ?? (Array.isArray(part['items']) ? part['items'] : []));
    const { minItems = 0, maxItems = 3 } = part as { minItems?: number; maxItems?: number };
    const least = Math.max(0, minItems - 1);
    const length =
      places.length > 0
        ? Math.floor(this.#random() * (places.length + 1))
        : least + Math.floor(this.#random() * (Math.min(maxItems, 4) - least + 2));
    const items = objects([part['items']]);
    return Array.from({ length }, (_, at): Json =>
      this.#value(places[at] ? [places[at]] : items.length > 0 ? items : [{}], depth + 1),
    );
  }

  #text(part: JsonObject): string {
    const { minLength = 1, maxLength = 60 } = part as { minLength?: number; maxLength?: number };
    const known: Readonly<Record<string, readonly string[]>> = {
      date: ['2026-12-01', '2026-13-01'],
      'date-time': ['2026-12-01T13:30:00Z', '2026-12-01'],
      time: ['10:30:00-03:00', '10:30'],
      email: ['ana@correo.uy', 'ana'],
      uri: ['https://gub.uy/a', 'gub'],
      'data-url': ['data:text/plain;name=a.txt;base64,YQ=='],
    };
    const format = known[String(part['format'])];
    if (format) return pick(format, this.#random);
    const sizes = [minLength, minLength, minLength + 1, maxLength, minLength - 1, maxLength + 1].filter(
      (size) => size > 0,
    );
    return pick(['a', 'b', 'á', '7', 'A', '1'], this.#random).repeat(pick(sizes, this.#random));
  }

  #number(part: JsonObject): number {
    const { minimum = 0, maximum = 9, multipleOf = 1 } = part as Readonly<Record<string, number>>;
    const near = [minimum, minimum, minimum + multipleOf, maximum, minimum - 1, maximum + 1, minimum + 0.5];
    return pick(near, this.#random);
  }

  #resolved(part: JsonObject): JsonObject {
    const pointer = typeof part['$ref'] === 'string' ? part['$ref'].split('#')[1] : undefined;
    if (pointer === undefined) return part;
    const found = pointer
      .split('/')
      .slice(1)
      .reduce<Json | undefined>(
        (node, step) => (isObject(node) ? (node as JsonObject)[step] : undefined),
        this.#schema,
      );
    return isObject(found)
      ? {
          ...this.#resolved(found as JsonObject),
          ...Object.fromEntries(Object.entries(part).filter(([word]) => word !== '$ref')),
        }
      : part;
  }
}

function objects(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? (list.filter(isObject) as JsonObject[]) : [];
}
