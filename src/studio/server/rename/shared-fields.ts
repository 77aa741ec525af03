import { nameWithin } from '../../../engine/core/field-path.ts';
import { escapePointer, pointerSteps, valueAt } from '../../../engine/core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { FileSet } from '../../../engine/compiler/files/read-set.ts';

/** One place that says what an object of fields holds: the schema of a screen, or a definition that it takes by "$ref". */
export interface Layer {
  readonly file: string;
  /** Of the definition; empty: the schema itself. */
  readonly pointer: string;
  /** The name of the object in it; empty: it is the definition itself. */
  readonly holder: string;
}

/** An object of fields of a screen, with all that says something of it. */
interface Holder {
  readonly screen: string;
  readonly name: string;
  readonly layers: readonly Layer[];
}

type Set = Pick<FileSet, 'screens' | 'shared'>;

/** No form is deeper: a definition that takes itself is refused by the compiler. */
const deepest = 9;

/** The objects of fields of a screen: the form itself, groups, and the items of lists. */
function holdersOf(set: Set, screen: FileSet['screens'][number]): readonly Holder[] {
  if (!screen.schema) return [];
  const within = (name: string, layers: readonly Layer[], depth: number): readonly Holder[] => {
    const all = withDefinitions(set, layers);
    const nodes = all.flatMap((layer) => nodesOf(set, layer));
    const steps = nodes.flatMap(({ properties, items }) => [
      ...(isObject(properties) ? Object.keys(properties) : []),
      ...(isObject(items) ? ['items'] : []),
    ]);
    if (steps.length === 0 || depth > deepest) return [];
    const holds = nodes.some(({ properties }) => isObject(properties));
    return [
      ...(holds ? [{ screen: screen.id, name, layers: all }] : []),
      ...[...new Set(steps)].flatMap((step) =>
        within(
          nameWithin(name, step),
          all.map((layer) => ({ ...layer, holder: nameWithin(layer.holder, step) })),
          depth + 1,
        ),
      ),
    ];
  };
  return within('', [{ file: screen.schema.path, pointer: '', holder: '' }], 0);
}

/** Each of some places, and the definitions that they take. */
function withDefinitions(set: Set, layers: readonly Layer[]): readonly Layer[] {
  return layers.flatMap((layer) => {
    const taken: Layer[] = [layer];
    for (let at: Layer | null = layer; at && taken.length <= deepest;) {
      at = referredTo(set, at);
      if (at) taken.push(at);
    }
    return taken;
  });
}

function referredTo(set: Set, layer: Layer): Layer | null {
  const reference = nodesOf(set, layer).find(({ $ref: own }) => own !== undefined)?.['$ref'];
  if (typeof reference !== 'string') return null;
  const [path = '', pointer = ''] = reference.split('#');
  const shared = set.shared.get(path.slice(path.lastIndexOf('/') + 1));
  const file = path === '' ? layer.file : shared?.path;
  return file === undefined ? null : { file, pointer, holder: '' };
}

/** What a place says of its object of fields: its schema, and the parts of that which hold by a condition. */
function nodesOf(set: Set, { file, pointer, holder }: Layer): readonly JsonObject[] {
  const source = set.screens.find(({ schema }) => schema?.path === file)?.schema ?? sharedAt(set, file);
  let nodes = partsOf(source && valueAt(source.value, pointer));
  for (const step of holder === '' ? [] : holder.split('.'))
    nodes = nodes.flatMap(({ properties, items }) =>
      partsOf(isObject(properties) ? (properties as JsonObject)[step] : step === 'items' ? items : undefined),
    );
  return nodes;
}

/** A schema, and all that it applies to the same fields. */
function partsOf(node: Json | undefined): readonly JsonObject[] {
  if (!isObject(node)) return [];
  const { allOf, anyOf, oneOf, dependentSchemas, dependencies, ...words } = node as JsonObject;
  const parts = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const bySchema = [dependentSchemas, dependencies].flatMap((table) => (isObject(table) ? Object.values(table) : []));
  return [
    node as JsonObject,
    ...[...parts, ...bySchema, words['if'], words['then'], words['else']].flatMap((part) => partsOf(part)),
  ];
}

function sharedAt({ shared }: Set, path: string) {
  return [...shared.values()].find((file) => file.path === path);
}

/** A field that goes by one definition in several places. */
export interface SharedField {
  /** All that it goes by, each by its screen and its whole name. */
  readonly fields: readonly { readonly screen: string; readonly name: string }[];
  /** The definitions that name it, beside the schemas of the screens. */
  readonly definitions: readonly Layer[];
  /** What stands beside it. */
  readonly beside: readonly string[];
}

/** Where the field of a screen is named with all others that have its name of the same definition; null: there is no such field. */
export function sharedField(set: Set, screen: string, name: string): SharedField | null {
  const step = name.slice(name.lastIndexOf('.') + 1);
  const holders = set.screens.flatMap((own) => holdersOf(set, own));
  const holder = name.slice(0, Math.max(name.lastIndexOf('.'), 0));
  const own = holders.find((one) => one.screen === screen && one.name === holder);
  const names = (layer: Layer): readonly string[] =>
    nodesOf(set, layer).flatMap(({ properties }) => Object.keys(properties ?? {}));
  const written = own?.layers.filter((layer) => names(layer).includes(step)) ?? [];
  if (!own || written.length === 0) return null;
  const definitions = written.filter(({ pointer }) => pointer !== '');
  const isSame = (one: Layer) => (other: Layer) => keyOf(one) === keyOf(other);
  const all = holders.filter((one) => one === own || definitions.some((layer) => one.layers.some(isSame(layer))));
  return {
    fields: all.map((one) => ({ screen: one.screen, name: nameWithin(one.name, step) })),
    definitions,
    beside: all.flatMap(({ layers }) => layers.flatMap(names)),
  };
}

function keyOf({ file, pointer, holder }: Layer): string {
  return [file, pointerSteps(pointer).map(escapePointer).join('/'), holder].join(' ');
}
