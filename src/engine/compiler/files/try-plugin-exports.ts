import { isObject, type ValuesByName } from '../../core/json.ts';
import { listPlaceholders } from '../../core/messages.ts';
import { pluginRuleFieldTypes, type PluginValidationRule, type PluginRuleModule } from '../../core/plugin-rule.ts';
import {
  buildMinimalValidValue,
  findParameterSchemaMistake,
  detectNondeterminism,
  detectDigitConcatenation,
  adversarialTextGenerators,
} from './plugin-export-checks.ts';
import {
  type ProblemExplanation,
  explain,
  localize,
  type LocalizedText,
  suggestSimilarOrKnownNames,
} from '../sources/localized-text.ts';
import { standardAjv } from '../sources/standard-ajv.ts';

/** Maximum CPU time of one call with a text of `maxTestLength` characters, in milliseconds. A slower call would block the server too long. */
const maxCallMs = 50;
const maxTestLength = 2_048;
/** Number of calls per measurement. Only the fastest counts, because other processes and garbage collection can only slow a call down. */
const measuredRuns = 5;

/** An export of a plugin under test. */
interface Trial {
  readonly run: (value: unknown) => unknown;
  /** Returns why a result is invalid. Returns `null` if it is valid. */
  readonly findFault: (answer: unknown) => LocalizedText | null;
  /** Returns a problem that only the results for many texts show, or `null`. */
  readonly all?: (answers: readonly unknown[]) => LocalizedText | null;
}

type Texts = readonly Readonly<Record<string, string>>[];

/**
 * Runs every export of a rule.ts with unusual values and adversarial texts. Requires a module for which `listRuleModuleMistakes` is empty. Throwing,
 * asynchronous, inconsistent, invalid and slow functions are mistakes of the plugin's author. Reports at most one mistake per export.
 */
export function testPluginExports(module: PluginRuleModule, texts: Texts): readonly ProblemExplanation[] {
  const { rules = [], formats = {}, operators = {} } = module;
  return [
    ...rules.flatMap((rule: PluginValidationRule) =>
      runTrial(() => createRuleTrial(rule, texts), listTestValues(rule), rule.keyword),
    ),
    ...Object.entries(formats).flatMap(([name, run]) =>
      runTrial(() => ({ run: run as Trial['run'], findFault: findNonBoolean, all: findMissingRefusal }), [], name),
    ),
    ...Object.entries(operators).flatMap(([name, operator]) => {
      const run = (value: unknown) => runWithoutMutation([value, value, value], (given) => operator(...given));
      return runTrial(
        () => ({ run, findFault: () => null, all: () => detectDigitConcatenation(operator) }),
        oddValues,
        name,
      );
    }),
  ];
}

/** Returns why a module cannot be used: its exports or one of its rules have a wrong shape. Returns an empty list if it can. */
export function listRuleModuleMistakes({ rules, formats, operators }: PluginRuleModule): readonly ProblemExplanation[] {
  const known = [rules, formats, operators].some((part) => part !== undefined);
  if (known && Array.isArray(rules ?? []) && isObject(formats ?? {}) && isObject(operators ?? {}))
    return (rules ?? []).flatMap((rule) => findShapeMistake(rule) ?? []);
  const mistake = explain`rule.ts exports none of "rules" (a list), "formats" and "operators" (functions by name).
    Export one of them, or remove the file.`;
  return [mistake];
}

const ruleKeys = ['keyword', 'level', 'types', 'parameters', 'target', 'reads', 'facts', 'check'];

function findShapeMistake(rule: Partial<PluginValidationRule>): ProblemExplanation | null {
  const { keyword, level, types, parameters, check } = rule;
  const name = String(keyword);
  const unknown = Object.keys(rule).find((key) => !ruleKeys.includes(key));
  if (unknown !== undefined)
    return explain`The rule "${name}" has an unknown key "${unknown}".
      ${suggestSimilarOrKnownNames(unknown, ruleKeys)}`;
  const isValid = {
    keyword: typeof keyword === 'string',
    level: level === 'field' || level === 'form',
    parameters: isObject(parameters),
    check: typeof check === 'function',
  };
  const [wrong] = Object.entries(isValid).flatMap(([key, valid]) => (valid ? [] : key));
  if (wrong !== undefined || typeof keyword !== 'string' || !isObject(parameters))
    return explain`The rule "${name}" has no valid "${wrong ?? ''}".
      Write rules with defineRule: the editor then reports what is missing.`;
  const fits = Array.isArray(types) && types.length > 0 && types.every((type) => pluginRuleFieldTypes.includes(type));
  if (level === 'field' && !fits)
    return explain`The rule "${keyword}" does not declare the field types that it applies to.
      List the types in "types": ${pluginRuleFieldTypes.join(', ')}.`;
  if (standardAjv.getKeyword(keyword) !== false)
    return explain`The keyword "${keyword}" is one of JSON Schema.
      Choose another name: this one would replace the standard keyword.`;
  if (!/^[a-z][A-Za-z\d]*$/.test(keyword))
    return explain`The keyword "${keyword}" does not follow the naming of JSON Schema.
      Write it in camel case, e.g. noWord.`;
  const mistake = findParameterSchemaMistake(parameters);
  if (mistake === null) return null;
  return explain`"${keyword}": ${mistake}.
    Fix the code of the plugin.`;
}

/** Values that a field may have regardless of its schema. Includes "otro", which `buildMinimalValidValue` returns. */
const oddValues = ['', ' ', 'a', 'a\u0301\ufdfa', 'otro', '-1', 0, -1.5, true, false, null, [], ['a'], [null], {}];

/** Returns test values for a rule. For a form rule, `undefined` stands for an empty form, and any other value is set on every field that the rule reads. */
function listTestValues({ level }: PluginValidationRule): readonly unknown[] {
  return level === 'form' ? [undefined, ...oddValues] : oddValues;
}

/** Runs a rule with `value` in its own field and the fields that it reads. The context is empty, because facts may be absent. */
function createRuleTrial(rule: PluginValidationRule, texts: Texts): Trial {
  const parameters = buildMinimalValidValue(rule.parameters) as never; // cast: each rule has its own parameter type, and `buildMinimalValidValue` returns a valid value
  const target = rule.target?.(parameters);
  const facts = rule.facts?.(parameters) ?? [];
  const read = rule.reads?.(parameters) ?? [];
  for (const [word, list] of Object.entries({ reads: read, facts }))
    if (!Array.isArray(list) || list.some((one) => typeof one !== 'string')) throw new NotAListError(word);
  if (target !== undefined && typeof target !== 'string') throw new NotAListError('target');
  const names = [...read, ...(target === undefined ? [] : [target])];
  return {
    run: (value) => {
      const form: ValuesByName = value === undefined ? {} : Object.fromEntries(names.map((name) => [name, value]));
      const ruleInput = { value: rule.level === 'form' ? form : value, form, context: {}, parameters };
      return runWithoutMutation(ruleInput, (own) => checkWithDeclaredReads(rule, own, facts));
    },
    findFault: (answer) => (answer === null ? null : findFailureMistake(rule.keyword, answer, texts)),
  };
}

/** Thrown if a function of a rule does not return names. */
class NotAListError extends Error {}

/** Thrown if a rule reads a field or fact that it does not declare. The rule would not run again when that value changes. */
class UndeclaredReadError extends Error {
  readonly kind: 'reads' | 'facts';
  constructor(kind: 'reads' | 'facts', name: string) {
    super(name);
    this.kind = kind;
  }
}

function checkWithDeclaredReads(
  { check, level }: PluginValidationRule,
  given: Parameters<PluginValidationRule['check']>[0],
  facts: readonly string[],
): unknown {
  let unnamed: UndeclaredReadError | undefined;
  const guardReads = (kind: UndeclaredReadError['kind'], own: ValuesByName, names: readonly string[]) =>
    new Proxy(own, {
      get(values, name) {
        if (typeof name === 'string' && name !== 'toJSON' && !names.includes(name))
          unnamed ??= new UndeclaredReadError(kind, name);
        return Reflect.get(values, name) as unknown;
      },
    });
  const context = guardReads('facts', given.context, facts);
  const form = level === 'form' ? given.form : guardReads('reads', given.form, Object.keys(given.form));
  const answer: unknown = check(Object.assign(given, { form, context }));
  if (unnamed !== undefined && !isPromise(answer)) throw unnamed;
  return answer;
}

function findFailureMistake(keyword: string, answer: unknown, texts: Texts): LocalizedText | null {
  if (!isObject(answer)) return localize`it returns ${formatValue(answer)}, not null or { "reason", "values" }`;
  const { reason, values = {} } = answer;
  const key = typeof reason === 'string' ? `${keyword}.${reason}` : keyword;
  for (const table of texts) {
    const missing = listPlaceholders(table[key] ?? table[keyword] ?? '').find(
      (name) => !isObject(values) || !(name in values),
    );
    if (missing !== undefined) return localize`its message "${key}" uses {${missing}}, which "values" does not contain`;
  }
  return null;
}

/** Thrown if an export modifies its input, which is also passed to the next rule and to the server. */
class MutationError extends Error {}

/** Runs `work` on a copy. Throws a `MutationError` if `work` modifies the copy. */
function runWithoutMutation<Given>(given: Given, work: (own: Given) => unknown): unknown {
  const own = structuredClone(given);
  const answer = work(own);
  if (formatValue(own) !== formatValue(given)) throw new MutationError();
  return answer;
}

/** Texts of which at least one is invalid in nearly every format. */
const oddTexts = ['', ' ', 'a', '-1', '0', 'A b', '\n', '<', '2026-13-41', '@', '\u4e2d', '\u20ac'];

function findMissingRefusal(answers: readonly unknown[]): LocalizedText | null {
  return answers.every((answer) => answer === true) ? localize`it accepts any text` : null;
}

function findNonBoolean(answer: unknown): LocalizedText | null {
  return typeof answer === 'boolean' ? null : localize`it returns ${formatValue(answer)}, not true or false`;
}

function runTrial(make: () => Trial, values: readonly unknown[], name: string): readonly ProblemExplanation[] {
  const wrong = findMistake(make, values);
  if (wrong === null) return [];
  const problem = explain`"${name}": ${wrong}.
    Fix the code of the plugin.`;
  return [problem];
}

// Reports exceptions of a plugin as mistakes of the plugin, so that no exception crashes the compiler.
function findMistake(make: () => Trial, values: readonly unknown[]): LocalizedText | null {
  try {
    const tried = make();
    return (
      findWrongResult(tried, [...values, 'a', 'a\u0301\ufdfa']) ??
      findSlowRun(tried) ??
      tried.all?.(
        [...oddTexts, ...Object.values(adversarialTextGenerators).map((make) => make(16))].map((text) =>
          tried.run(text),
        ),
      ) ??
      null
    );
  } catch (error) {
    if (error instanceof NotAListError) return localize`its "${error.message}" does not return a list of names`;
    return localize`it throws (${String(error)})`;
  }
}

function findWrongResult({ run, findFault }: Trial, values: readonly unknown[]): LocalizedText | null {
  for (const value of values) {
    try {
      const answer = run(value);
      if (isPromise(answer)) {
        Promise.resolve(answer).catch(() => undefined); // catches a rejection, which would end the process if it were unhandled
        return localize`it returns a promise for ${formatValue(value)}, but must be synchronous`;
      }
      if (formatValue(run(value)) !== formatValue(answer))
        return localize`it returns different results when called twice with ${formatValue(value)}`;
      const source = detectNondeterminism(() => run(value));
      if (source === 'RegExp')
        return localize`it tests a pattern with the flag g or y, which continues after the last match: the same text matches only every second time`;
      if (source !== null)
        return localize`it calls ${source} for ${formatValue(value)}: take the current date from a fact, and do not use random values`;
      const refused = findFault(answer);
      if (refused !== null) return refused;
    } catch (error) {
      if (error instanceof UndeclaredReadError)
        return error.kind === 'reads'
          ? localize`it reads the field "${error.message}", which "reads" does not list: the rule is not evaluated again when that field changes`
          : localize`it reads the fact "${error.message}", which "facts" does not list: the server does not provide it`;
      if (error instanceof MutationError) return localize`it modifies its input ${formatValue(value)}`;
      return localize`it throws for ${formatValue(value)} (${String(error)})`;
    }
  }
  return null;
}

// Increases the length of the text in small steps, so that a function with exponential time is detected before a call takes too long.
function findSlowRun({ run }: Trial): LocalizedText | null {
  for (const make of Object.values(adversarialTextGenerators)) {
    for (let size = 16; size <= maxTestLength; size = Math.ceil(size * (size < 64 ? 1.1 : 1.25))) {
      const text = make(size);
      const ms = measureMs(() => run(text));
      if (ms > maxCallMs) return localize`it takes ${Math.round(ms)} ms for a text of ${size} characters`;
    }
  }
  return null;
}

function measureMs(work: () => unknown): number {
  let least = Infinity;
  for (let done = 0; done < measuredRuns && least > maxCallMs; done += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value;
}

function formatValue(value: unknown): string {
  return value === undefined ? String(value) : JSON.stringify(value);
}
