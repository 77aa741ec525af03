import type { ScreenUi } from '../core/flow-and-screen-types.ts';
import type { DefinitionsManifest } from '../core/definitions-manifest.ts';
import { isListTextKey, listValidator } from '../core/list-fields.ts';
import { noCopyMessageKey, optionGoneMessageKey, noOptionsMessageKey } from '../core/messages.ts';
import { reduceToSavedJourney } from '../core/saved-journey.ts';
import type { CompiledScreen, ScreenModule } from '../core/compiled-screen.ts';
import { mayDisableCopying, findChoiceSourceParams } from '../core/screen-ui-queries.ts';
import { summarizeAnswers } from '../core/answer-summary.ts';
import { type ScreenValidator, validateScreenForm } from '../core/validate-screen-form.ts';
import { hashScreen, type CheckedScreen } from './intermediate-representation.ts';
import {
  compileLanguageNeutralScreen,
  emitScreenModule,
  listFieldWithItemFields,
  type LanguageNeutralScreen,
} from './screen/compile-screen.ts';
import { hashForUrl } from './sources/hash-for-url.ts';
import { buildModuleUrl } from './screen/module-url.ts';
import {
  DefinitionError,
  type ServedDefinitions,
  type DefinitionProblem,
  type ServedModule,
  type FormCheckResult,
} from './definitions.ts';
import type { CompilerHost, DefinitionFiles } from './files/read-definition-files.ts';
import type { ExpandedFlow } from './flow/expand-flow.ts';
import { choiceLabelMessageKeys } from './json-schema/move-presentation-to-ui.ts';
import {
  listFlowRoutes,
  sortScreensByStep,
  isScreenInJourney,
  addStepTitles,
  listSavedFlowsEndedByOperation,
  listScreensSentWithOperation,
} from './flow/flow-queries.ts';
import { listPluginCacheInputs, pickTextEntries, type PluginIndex } from './files/index-plugins.ts';
import type { DefinitionLoadCache } from './sources/load-cache.ts';
import { createInternalErrorProblem } from './sources/problem-collector.ts';
import { addEarlierAnswers } from '../core/earlier-answers.ts';
import { setFieldValue, splitFieldName, getFieldValue } from '../core/field-path.ts';
import type { ValuesByName } from '../core/json.ts';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { validatorRuntime } from '../core/validator-runtime.ts';

interface CompileInput {
  readonly set: DefinitionFiles;
  readonly screens: readonly CheckedScreen[];
  readonly flows: readonly Pick<ExpandedFlow, 'flow' | 'descriptions'>[];
  readonly findings: readonly DefinitionProblem[];
  /** Language of problem messages. */
  readonly language: string;
  readonly cache: DefinitionLoadCache;
  readonly run: CompilerHost['importScreenModule'];
}

interface ServedScreen {
  readonly url: string;
  readonly validator: ScreenValidator;
}

export async function emitServedDefinitions(input: CompileInput): Promise<ServedDefinitions> {
  const { set, screens, findings, cache, run } = input;
  const { baseLanguage, languages, plugins } = set;
  const described = hashForUrl(listPluginCacheInputs(plugins).join('\0'));
  const modules: ServedModule[] = [];
  const compiled = new Map<string, ServedScreen>();
  for (const screen of screens) {
    const plan = cache.getOrCompute(`plan ${screen.id}`, [screen, plugins], () =>
      cache.getStoredOrCompute(`plan ${screen.id}`, [hashScreen(screen), described], () =>
        planCheckedScreen(screen, input),
      ),
    );
    for (const [language, ui] of screen.uis) {
      const name = `${screen.id} ${language}`;
      const inputs = [plan, ui, set.catalogues.get(language)];
      const module = cache.getOrCompute(`module ${name}`, inputs, () => buildModule(set, plan, ui, language));
      const load = async () => createModuleValidator(await run(module.source), plugins);
      modules.push(module);
      compiled.set(name, { url: module.url, validator: await cache.getOrCompute(`validator ${name}`, [module], load) });
    }
  }
  const flows = input.flows.map(({ flow }) => addStepTitles(flow, screens));
  const flowUrls: Record<string, string> = {};
  for (const flow of flows) {
    const source = `export const flow = ${JSON.stringify(flow)};\n`;
    const url = buildModuleUrl(`flow-${flow.id}`, source);
    modules.push({ url, source });
    flowUrls[flow.id] = url;
  }
  const version = hashForUrl(modules.map(({ url }) => url).join('\n'));
  const routes = flows.flatMap(listFlowRoutes);
  const find = (screen: string, language = baseLanguage): ServedScreen => {
    const found = compiled.get(`${screen} ${language}`) ?? compiled.get(`${screen} ${baseLanguage}`);
    if (!found) throw new Error(`There is no screen ${screen}.`);
    return found;
  };
  const readScreen = (id: string, language?: string): CompiledScreen => find(id, language).validator.screen;
  const listValidators = (screen: string | readonly string[], language?: string) =>
    (typeof screen === 'string' ? [screen] : sortScreensByStep(flows, screen)).map(
      (id) => find(id, language).validator,
    );
  const checkScreens = (
    screen: string | readonly string[],
    values: ValuesByName,
    context: ValuesByName,
    language?: string,
  ): readonly ScreenCheck[] =>
    checkIncludedScreens(
      listValidators(screen, language),
      values,
      context,
      (id, scope) => typeof screen === 'string' || isScreenInJourney(flows, id, scope),
    );
  return {
    version,
    languages,
    screens: new Set(screens.map(({ id }) => id)),
    flows: Object.fromEntries(flows.map((flow) => [flow.id, flow])),
    descriptions: Object.fromEntries(input.flows.map(({ flow, descriptions }) => [flow.id, descriptions])),
    modules,
    findings,
    manifest: (language): DefinitionsManifest => {
      const entries = screens.map(({ id }) => {
        const { url, validator } = find(id, language);
        return [id, { version: validator.screen.version, url }] as const;
      });
      return { version, languages, screens: Object.fromEntries(entries), flows: flowUrls, routes };
    },
    schema: (screen) => screens.find(({ id }) => id === screen)?.schema ?? null,
    ui: (screen, language) => readScreen(screen, language).ui,
    screen: (id, language) => {
      const { screen, values } = find(id, language).validator;
      return { screen, validators: () => values };
    },
    plugins: (screen) => {
      const { rulePlugins, fields } = readScreen(screen);
      return [
        ...new Set([...rulePlugins, ...fields.flatMap(listFieldWithItemFields).flatMap(({ plugin }) => plugin ?? [])]),
      ];
    },
    savedJourney: (id, way) => {
      const flow = flows.find((one) => one.id === id);
      return flow
        ? reduceToSavedJourney(flow, way, ({ screen }) => (screen === undefined ? null : readScreen(screen)))
        : null;
    },
    listSavedFlowsEndedByOperation: (operation) => listSavedFlowsEndedByOperation(flows, operation),
    listScreensSentWithOperation: (operation) =>
      listScreensSentWithOperation(flows, operation).filter((id) => readScreen(id).fields.length > 0),
    formatAnswers: (screen, values, words) =>
      [screen].flat().flatMap((id) => summarizeAnswers(readScreen(id), values, words)),
    screenVersion: (screen, context = {}, values = {}) =>
      checkScreens(screen, values, context)
        .map(({ validator }) => validator.screen.version)
        .sort()
        .join('.'),
    check: (screen, values, { language, context }) =>
      mergeChecks(checkScreens(screen, values, context, language), values),
  };
}

function buildModule(set: DefinitionFiles, plan: LanguageNeutralScreen, ui: ScreenUi, language: string): ServedModule {
  const { validatorCode, ...common } = plan;
  const messages = selectMessages(set, plan, ui, language);
  const data: CompiledScreen = { ...common, language, ui, messages, texts: selectTexts(set, common.fields, language) };
  const source = emitScreenModule(data, validatorCode);
  return { url: buildModuleUrl(`${plan.id}.${language}`, source), source };
}

// Compiles the parts of a screen that do not depend on the language. Reports an unexpected error as a problem in the schema of the screen.
function planCheckedScreen(screen: CheckedScreen, { set, language, cache }: CompileInput): LanguageNeutralScreen {
  try {
    return compileLanguageNeutralScreen({ ...screen, schema: screen.schema ?? {} }, set.plugins, cache);
  } catch (error) {
    throw new DefinitionError([createInternalErrorProblem(error, `schemas/${screen.id}/schema.json`, language)]);
  }
}

function selectMessages(
  set: DefinitionFiles,
  { fields, rulePlugins }: LanguageNeutralScreen,
  ui: ScreenUi,
  language: string,
): Readonly<Record<string, string>> {
  if (fields.length === 0) return {};
  const ofPlugins = rulePlugins.map((name) => pickTextEntries(set.plugins.byName.get(name)?.texts, language));
  const every = fields.flatMap(listFieldWithItemFields);
  const isUsed = (key: string) => {
    if (choiceLabelMessageKeys.includes(key)) return false;
    if (key === noCopyMessageKey) return every.some(({ name }) => mayDisableCopying(ui, name));
    if (key === noOptionsMessageKey || key === optionGoneMessageKey)
      return every.some(({ name }) => findChoiceSourceParams(ui, name));
    if (key.startsWith('type.'))
      return every.some(({ schema: { type } }) => type === 'integer' || (type === 'number' && key !== 'type.integer'));
    if (key.startsWith('format.'))
      return every.some(({ schema }) => `${key}.`.startsWith(`format.${String(schema.format)}.`));
    return !isListTextKey(key) || fields.some(({ item }) => item);
  };
  const catalogue = Object.entries(pickTextEntries(set.catalogues.get(language))).filter(([key]) => isUsed(key));
  return Object.assign({}, ...ofPlugins, Object.fromEntries(catalogue)) as Record<string, string>; // cast: `Object.assign` returns `any`
}

function selectTexts(
  set: DefinitionFiles,
  fields: CompiledScreen['fields'],
  language: string,
): CompiledScreen['texts'] {
  const plugins = new Set(fields.flatMap(listFieldWithItemFields).flatMap(({ plugin }) => plugin ?? []));
  return Object.fromEntries(
    [...plugins].map((name) => [name, pickTextEntries(set.plugins.byName.get(name)?.texts, language)]),
  );
}

/** Whether a journey includes a screen. `scope` has the facts and, as `form`, the answers of earlier screens. */
type StepFilter = (screen: string, scope: ValuesByName) => boolean;

/** One screen's part of a request body, and its validation result. */
interface ScreenCheck {
  readonly validator: ScreenValidator;
  readonly own: ValuesByName;
  readonly context: ValuesByName;
  readonly verdict: FormCheckResult;
}

/** Only the first result has the errors of fields that no screen has, so that each is reported once. */
function mergeChecks(parts: readonly ScreenCheck[], values: ValuesByName): FormCheckResult {
  const known = new Set(parts.flatMap(({ validator }) => [...listFieldNames(validator)]));
  const unknown = Object.entries(values).filter(([name]) => !known.has(name));
  const verdicts = parts.map(({ validator, own, context: around, verdict }, index) =>
    index > 0 || unknown.length === 0
      ? verdict
      : validateScreenForm(validator, { ...own, ...Object.fromEntries(unknown) }, around),
  );
  const mergeValues = (of: readonly ValuesByName[]) => Object.fromEntries(of.flatMap((part) => Object.entries(part)));
  return {
    data: mergeValues(verdicts.map(({ data }) => data)),
    errors: mergeValues(verdicts.map(({ errors }) => errors)) as FormCheckResult['errors'], // cast: the errors of each screen are messages by field
  };
}

function checkIncludedScreens(
  validators: readonly ScreenValidator[],
  values: ValuesByName,
  context: ValuesByName,
  isAsked: StepFilter,
): readonly ScreenCheck[] {
  const before: Record<string, unknown> = {};
  const parts: ScreenCheck[] = [];
  for (const validator of validators) {
    const { screen } = validator;
    if (!isAsked(screen.id, { ...context, form: before })) continue;
    const names = listFieldNames(validator);
    const own = Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
    const contextWithAnswers = addEarlierAnswers(screen, before, context);
    const verdict = validateScreenForm(validator, own, contextWithAnswers);
    for (const { name, secret } of screen.fields)
      if (!secret) setFieldValue(before, name, getFieldValue(verdict.data, name)); // omit secrets, because browsers do not keep the secrets of earlier steps
    parts.push({ validator, own, context: contextWithAnswers, verdict });
  }
  return parts;
}

function listFieldNames({ screen }: ScreenValidator): ReadonlySet<string> {
  return new Set(screen.fields.map(({ name }) => splitFieldName(name)[0] ?? name));
}

function createModuleValidator(module: ScreenModule, plugins: PluginIndex): ScreenValidator {
  const formats = {
    ...fullFormats,
    ...Object.fromEntries([...plugins.formats].map(([name, { check }]) => [name, check])),
  };
  const rules = new Map([...plugins.rules].map(([keyword, { rule }]) => [keyword, rule]));
  return { screen: module.screen, values: module.validators(formats, validatorRuntime), rules, items: listValidator };
}
