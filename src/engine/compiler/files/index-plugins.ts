import { isJsonLogicOperatorName, registerPluginOperator } from '../../core/json-logic.ts';
import type { PluginValidationRule, PluginRuleModule } from '../../core/plugin-rule.ts';
import { explain, localize, type LocalizedText } from '../sources/localized-text.ts';
import type { SourceFile } from '../sources/source-file.ts';
import type { ProblemCollector } from '../sources/problem-collector.ts';
import { standardFormatNames } from '../sources/standard-ajv.ts';
import { isObject, type JsonObject } from '../../core/json.ts';

/** A folder of plugins/. Only browsers load the code of its widget. */
export interface LoadedPlugin {
  readonly name: string;
  readonly hasWidget: boolean;
  /** Types of the fields that the widget supports, if it declares them. */
  readonly widgetTypes?: readonly string[] | undefined;
  /** JSON Schema of the widget's options. If absent, they are not checked. */
  readonly widgetOptions?: JsonObject | undefined;
  readonly module: PluginRuleModule;
  /** Whether rule.ts could not be loaded, so that the names of its rules, formats and operators are unknown. */
  readonly isUnusable?: boolean;
  /** Digest of `module`, which changes with its code. */
  readonly digest?: string;
  readonly texts: SourceFile | null;
}

export interface PluginIndex {
  readonly byName: ReadonlyMap<string, LoadedPlugin>;
  readonly rules: ReadonlyMap<string, { readonly plugin: string; readonly rule: PluginValidationRule }>;
  readonly formats: ReadonlyMap<string, { readonly plugin: string; readonly check: (value: string) => boolean }>;
  /** Names of the plugins that define an operator, by operator. */
  readonly operators: ReadonlyMap<string, string>;
}

/** Indexes plugins by the names of their rules and formats. Reports names that two plugins share. */
export function indexPlugins(plugins: readonly LoadedPlugin[], problems: ProblemCollector): PluginIndex {
  const rules = new Map<string, { plugin: string; rule: PluginValidationRule }>();
  const formats = new Map<string, { plugin: string; check: (value: string) => boolean }>();
  const operators = new Map<string, string>();
  const reportClash = (plugin: string, message: LocalizedText): void =>
    problems.addAt(locatePluginRule(plugin))(explain`${message}
      Rename one of the two.`);
  for (const { name: plugin, module } of plugins) {
    for (const rule of module.rules ?? []) {
      const other = rules.get(rule.keyword);
      if (other)
        reportClash(plugin, localize`The keyword "${rule.keyword}" is also defined by plugins/${other.plugin}.`);
      rules.set(rule.keyword, { plugin, rule });
    }
    for (const [format, check] of Object.entries(module.formats ?? {})) {
      const other = formats.get(format);
      if (other) reportClash(plugin, localize`The format "${format}" is also defined by plugins/${other.plugin}.`);
      else if (standardFormatNames.includes(format))
        reportClash(plugin, localize`The format "${format}" is also one of JSON Schema.`);
      formats.set(format, { plugin, check });
    }
    for (const [operator, run] of Object.entries(module.operators ?? {})) {
      const other = operators.get(operator);
      if (other !== undefined)
        reportClash(plugin, localize`The operator "${operator}" is also defined by plugins/${other}.`);
      else if (isJsonLogicOperatorName(operator))
        reportClash(plugin, localize`The operator "${operator}" is also one of JSON-logic.`);
      else registerPluginOperator(operator, run);
      operators.set(operator, plugin);
    }
  }
  return { byName: new Map(plugins.map((plugin) => [plugin.name, plugin])), rules, formats, operators };
}

/** Whether an unknown keyword, format or operator may belong to a plugin that could not be loaded. */
export function hasUnusablePlugin({ byName }: PluginIndex): boolean {
  return [...byName.values()].some(({ isUnusable }) => isUnusable);
}

export function locatePluginRule(plugin: string) {
  return { file: `plugins/${plugin}/rule.ts`, line: 1, column: 1, pointer: '' };
}

export function pickTextEntries(file: SourceFile | null | undefined, key?: string): Readonly<Record<string, string>> {
  const value = key === undefined ? file?.value : isObject(file?.value) ? file.value[key] : undefined;
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Returns strings that differ whenever the code or the texts of a plugin differ. They are the key of cached results that outlive the process. */
export function listPluginCacheInputs({ byName }: PluginIndex): readonly string[] {
  return [...byName.values()].flatMap(({ name, hasWidget, widgetTypes, widgetOptions, digest = '', texts }) => [
    `${name} ${String(hasWidget)} ${String(widgetTypes)} ${JSON.stringify(widgetOptions)} ${digest}`,
    texts?.text ?? '',
  ]);
}
