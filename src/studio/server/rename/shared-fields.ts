import { joinFieldName } from '../../../engine/core/field-path.ts';
import { findByPointer } from '../../../engine/core/json-pointer.ts';
import { asObject, isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import { getLastFieldNameSegment, getParentFieldName } from '../../editor/fields/field-pointers.ts';
import { asListOrEmpty } from '../../json-values.ts';
import type { DefinitionFiles } from '../../../engine/compiler/files/read-definition-files.ts';

/** Location of an object with fields: in a screen's schema, or in a definition that the schema refers to with `$ref`. */
export interface SchemaObjectLocation {
  readonly file: string;
  /** JSON pointer to the definition. Empty for the schema itself. */
  readonly pointer: string;
  /** Name of the object within the definition. Empty for the definition itself. */
  readonly holder: string;
}

interface FieldContainer {
  readonly screen: string;
  readonly name: string;
  readonly layers: readonly SchemaObjectLocation[];
}

type DefinitionSet = Pick<DefinitionFiles, 'screens' | 'shared'>;

/** Maximum depth of nested references. Ends the search in a recursive definition, which the compiler rejects. */
const maxDepth = 9;

function listGroups(set: DefinitionSet, screen: DefinitionFiles['screens'][number]): readonly FieldContainer[] {
  if (!screen.schema) return [];
  const within = (name: string, layers: readonly SchemaObjectLocation[], depth: number): readonly FieldContainer[] => {
    const all = addReferencedLayers(set, layers);
    const nodes = all.flatMap((layer) => listSchemas(set, layer));
    const steps = nodes.flatMap(({ properties, items }) => [
      ...Object.keys(asObject(properties)),
      ...(isObject(items) ? ['items'] : []),
    ]);
    if (steps.length === 0 || depth > maxDepth) return [];
    const holds = nodes.some(({ properties }) => isObject(properties));
    return [
      ...(holds ? [{ screen: screen.id, name, layers: all }] : []),
      ...[...new Set(steps)].flatMap((step) =>
        within(
          joinFieldName(name, step),
          all.map((layer) => ({ ...layer, holder: joinFieldName(layer.holder, step) })),
          depth + 1,
        ),
      ),
    ];
  };
  return within('', [{ file: screen.schema.path, pointer: '', holder: '' }], 0);
}

function addReferencedLayers(set: DefinitionSet, layers: readonly SchemaObjectLocation[]) {
  return layers.flatMap((layer) => {
    const chain: SchemaObjectLocation[] = [layer];
    for (let at: SchemaObjectLocation | null = layer; at && chain.length <= maxDepth;) {
      at = findReferencedLayer(set, at);
      if (at) chain.push(at);
    }
    return chain;
  });
}

function findReferencedLayer(set: DefinitionSet, layer: SchemaObjectLocation): SchemaObjectLocation | null {
  const reference = listSchemas(set, layer).find(({ $ref: own }) => own !== undefined)?.['$ref'];
  if (typeof reference !== 'string') return null;
  const [path = '', pointer = ''] = reference.split('#');
  const shared = set.shared.get(path.slice(path.lastIndexOf('/') + 1));
  const file = path === '' ? layer.file : shared?.path;
  return file === undefined ? null : { file, pointer, holder: '' };
}

function listSchemas(set: DefinitionSet, { file, pointer, holder }: SchemaObjectLocation): readonly JsonObject[] {
  const source =
    set.screens.find(({ schema }) => schema?.path === file)?.schema ??
    [...set.shared.values()].find(({ path }) => path === file);
  let nodes = listSubschemas(source && findByPointer(source.value, pointer));
  for (const step of holder === '' ? [] : holder.split('.'))
    nodes = nodes.flatMap(({ properties, items }) =>
      listSubschemas(isObject(properties) ? asObject(properties)[step] : step === 'items' ? items : undefined),
    );
  return nodes;
}

/** Returns a schema and its subschemas that apply to the same fields. */
function listSubschemas(node: Json | undefined): readonly JsonObject[] {
  if (!isObject(node)) return [];
  const own = asObject(node);
  const parts = [own['allOf'], own['anyOf'], own['oneOf']].flatMap(asListOrEmpty);
  const bySchema = [own['dependentSchemas'], own['dependencies']].flatMap((table) => Object.values(asObject(table)));
  return [own, ...[...parts, ...bySchema, own['if'], own['then'], own['else']].flatMap(listSubschemas)];
}

export interface SharedField {
  readonly fields: readonly { readonly screen: string; readonly name: string }[];
  readonly definitions: readonly SchemaObjectLocation[];
  readonly beside: readonly string[];
}

/** Returns all fields that use the same shared definition as a field. Returns `null` if the field does not exist. */
export function findSharedField(set: DefinitionSet, screen: string, name: string): SharedField | null {
  const step = getLastFieldNameSegment(name);
  const holders = set.screens.flatMap((own) => listGroups(set, own));
  const holder = getParentFieldName(name);
  const own = holders.find((one) => one.screen === screen && one.name === holder);
  const names = (layer: SchemaObjectLocation): readonly string[] =>
    listSchemas(set, layer).flatMap(({ properties }) => Object.keys(properties ?? {}));
  const declaringLayers = own?.layers.filter((layer) => names(layer).includes(step)) ?? [];
  if (!own || declaringLayers.length === 0) return null;
  const definitions = declaringLayers.filter(({ pointer }) => pointer !== '');
  const createKey = ({ file, pointer, holder: within }: SchemaObjectLocation) => `${file} ${pointer} ${within}`;
  const keys = new Set(definitions.map(createKey));
  const all = holders.filter((one) => one === own || one.layers.some((layer) => keys.has(createKey(layer))));
  return {
    fields: all.map((one) => ({ screen: one.screen, name: joinFieldName(one.name, step) })),
    definitions,
    beside: all.flatMap(({ layers }) => layers.flatMap(names)),
  };
}
