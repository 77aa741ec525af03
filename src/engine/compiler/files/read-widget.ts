import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, type JsonObject, type ValuesByName } from '../../core/json.ts';
import { pluginRuleFieldTypes } from '../../core/plugin-rule.ts';
import { explain, localize, type ProblemExplanation } from '../sources/localized-text.ts';
import type { DefinitionLoadCache } from '../sources/load-cache.ts';
import type { ProblemCollector } from '../sources/problem-collector.ts';
import { bundlePluginFile } from './bundle-plugin-file.ts';
import { findParameterSchemaMistake } from './plugin-export-checks.ts';

/** Declarations in `widget.tsx` of a plugin. */
interface WidgetDeclaration {
  /** Types of the fields that the widget supports. Absent if it declares none. */
  readonly types?: readonly string[];
  /** JSON Schema of the options of the widget. Absent if the widget cannot be read. */
  readonly options?: JsonObject;
}

/** Checks that a widget is valid browser code with a component as its default export. Returns its exports `types` and `options`. */
export async function readWidget(
  root: string,
  name: string,
  problems: ProblemCollector,
  cache: DefinitionLoadCache,
): Promise<WidgetDeclaration> {
  const file = `plugins/${name}/widget.tsx`;
  const text = await readFile(join(root, file), 'utf8');
  const report = (declaration: string | null, problem: ProblemExplanation) => {
    const index = declaration === null ? 0 : text.search(new RegExp(`\\b${declaration}\\b`));
    problems.addAt({ file, line: text.slice(0, index).split('\n').length, column: 1, pointer: '' })(problem);
  };
  const bundle = await bundlePluginFile(root, name, 'widget.tsx', cache);
  if ('problem' in bundle) {
    const { problem, ...place } = bundle;
    problems.addAt({ file, pointer: '', ...place })(problem);
    return {};
  }
  if (!/\bas default\b|\bexport default\b/.test(bundle.code))
    report(
      null,
      explain`The widget has no default export.
        Write "export default" before its component.`,
    );
  const evaluate = () => evaluateConstants(bundle.code, ['types', 'options']);
  const declared = await cache
    .getStoredOrComputeAsync(`constants of ${name}`, [bundle.code], evaluate)
    .catch((error: unknown) => {
      report(
        'export const options',
        explain`"types" and "options" of the widget cannot be read: ${String(error)}.
        Write them as literals, without variables or calls.`,
      );
      return null;
    });
  if (!declared) return {};
  const { options = {} } = declared;
  const types = declared['types'] === undefined ? undefined : [declared['types']].flat().map(String);
  const strange = types?.find((type) => !pluginRuleFieldTypes.some((known) => known === type));
  if (strange !== undefined)
    report(
      'export const types',
      explain`The widget is for the type "${strange}", which no field has.
        Write into "types": ${pluginRuleFieldTypes.join(', ')}.`,
    );
  const known = { ...(types && strange === undefined && { types }) };
  const isSchemaByName = isObject(options) && Object.values(options).every(isObject);
  const schema = { type: 'object', properties: options as JsonObject, additionalProperties: false }; // the cast is safe, because a literal has only JSON values
  const isValid = cache.checkOnce(`options of ${name}`, [JSON.stringify(options)], () => {
    const mistake = isSchemaByName
      ? findParameterSchemaMistake(schema)
      : localize`it has no JSON Schema for each option: { name: { type: "string" } }`;
    if (mistake !== null)
      report(
        'export const options',
        explain`"options": ${mistake}.
          Fix the code of the plugin.`,
      );
    return mistake === null;
  });
  return isValid ? { ...known, options: schema } : known;
}

/** Evaluates exported constants without running the rest of the widget, which needs a browser. Throws if a value is not a literal. */
async function evaluateConstants(code: string, names: readonly string[]): Promise<ValuesByName> {
  const exports = /^export \{([^}]*)\}/m.exec(code)?.[1] ?? '';
  const constants = names.flatMap((name) => {
    if (!new RegExp(`\\b${name}\\b`).test(exports)) return [];
    const local = new RegExp(`(\\w+) as ${name}\\b`).exec(exports)?.[1] ?? name; // esbuild renames a constant whose name another file uses too
    // Reads up to the first ";" before an unindented line other than "}", because esbuild indents the lines of a value.
    const [, value] = new RegExp(`^var ${local} = ([^]*?);\\n(?=[^\\s}])`, 'm').exec(code) ?? [];
    return value === undefined ? [] : `export const ${name} = ${value};`;
  });
  const address = `data:text/javascript,${encodeURIComponent(constants.join('\n'))}`;
  return { ...((await import(/* @vite-ignore */ address)) as ValuesByName) }; // a dynamic import is untyped; the caller checks the values
}
