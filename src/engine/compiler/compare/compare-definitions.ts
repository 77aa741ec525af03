import type { AccessLevels, AccessLevelName, Flow, ScreenUi } from '../../core/flow-and-screen-types.ts';
import type { DefinitionFiles } from '../files/read-definition-files.ts';
import { pickTextEntries } from '../files/index-plugins.ts';
import { type LocalizedText, localize } from '../sources/localized-text.ts';
import type { LoweredDefinitions } from '../pipeline.ts';
import { anyoneAccess } from '../../core/definitions-manifest.ts';
import { listStateInvocations, listFlowRoutes, listQueryVariables } from '../flow/flow-queries.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { findFieldUiText } from '../../core/screen-ui-queries.ts';
import { indexTextsByPointer } from '../shared/translation.ts';
import type { CheckedScreen } from '../intermediate-representation.ts';
import { getComputedRules, isListSchema, listAllFields } from '../screen/schema-fields.ts';

export function compareScreens(
  before: readonly CheckedScreen[],
  after: readonly CheckedScreen[],
): readonly DefinitionChange[] {
  const old = new Map(before.map((screen) => [screen.id, screen]));
  const now = new Map(after.map((screen) => [screen.id, screen]));
  const ids = compareSets(old.keys(), now.keys());
  return [
    ...ids.gone.map((where): DefinitionChange => ({ breaking: false, where, text: localize`the screen is gone` })),
    ...ids.come.map((where): DefinitionChange => ({ breaking: false, where, text: localize`a new screen` })),
    ...ids.both.flatMap((id) => {
      const [was, is] = [old.get(id), now.get(id)];
      return was && is ? [...compareFields(was, is), ...compareTexts(was, is)] : [];
    }),
  ];
}

function compareFields(was: CheckedScreen, is: CheckedScreen): readonly DefinitionChange[] {
  const screenId = is.id;
  const [old, now] = [indexFields(was), indexFields(is)];
  const names = compareSets(old.keys(), now.keys());
  const describe = (breaking: boolean, text: LocalizedText) => ({ breaking, where: screenId, text });
  return [
    ...names.gone.map((name) => describe(true, localize`"${resolveFieldTitle(was.ui, name)}" is gone`)),
    ...names.come.map((name) => describe(false, localize`a new field: "${resolveFieldTitle(is.ui, name)}"`)),
    ...[...now].flatMap(([name, { needed: must }]) => {
      const field = resolveFieldTitle(is.ui, name);
      if (must === (old.get(name)?.needed ?? false)) return [];
      return describe(must, must ? localize`"${field}" is now required` : localize`"${field}" is now optional`);
    }),
    ...names.both.flatMap((name) => {
      const field = resolveFieldTitle(is.ui, name);
      const [rule, before] = [getComputedRules(is.schema ?? {})[name], getComputedRules(was.schema ?? {})[name]];
      const isShownAsBefore = isSame(was.ui.visible?.[name], is.ui.visible?.[name]);
      return [
        ...compareRules(old.get(name)?.rules ?? {}, now.get(name)?.rules ?? {}, field).map((change) => ({
          ...change,
          where: screenId,
        })),
        ...(isShownAsBefore ? [] : [describe(false, localize`"${field}": its visibility changed`)]),
        ...(isSame(rule, before) ? [] : [describe(false, localize`"${field}": its computation changed`)]),
      ];
    }),
  ];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function indexFields({ schema }: CheckedScreen): ReadonlyMap<string, { needed: boolean; rules: JsonObject }> {
  return new Map(
    listAllFields(schema ?? {}).map(([name, { items, ...rules }, needed]) => {
      const ofItems = items !== undefined && !isListSchema({ items, ...rules }); // excludes the items of a list, whose fields are compared separately
      return [name, { needed, rules: ofItems ? { items, ...rules } : rules }];
    }),
  );
}

const limits: Readonly<Record<string, boolean>> = {
  minLength: true,
  minimum: true,
  minItems: true,
  maxLength: false,
  maximum: false,
  maxItems: false,
};

function compareRules(was: JsonObject, is: JsonObject, field: string): readonly Omit<DefinitionChange, 'where'>[] {
  const keywords = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return keywords.flatMap((keyword): Omit<DefinitionChange, 'where'>[] => {
    const [old, now] = [was[keyword], is[keyword]];
    if (isSame(old, now)) return [];
    if (keyword === 'enum' && Array.isArray(old) && Array.isArray(now)) {
      const choices = compareSets(old.map(String), now.map(String));
      const reportLostChoice = (choice: string) => localize`"${field}": "${choice}" can no longer be chosen`;
      return [
        ...choices.gone.map((choice) => ({ breaking: true, text: reportLostChoice(choice) })),
        ...choices.come.map((choice) => ({ breaking: false, text: localize`"${field}": "${choice}" can be chosen` })),
      ];
    }
    const change = `${formatValue(old)} → ${formatValue(now)}`;
    const grows = limits[keyword];
    if (grows === undefined)
      return [{ breaking: now !== undefined, text: localize`"${field}": ${keyword} changed (${change})` }];
    const tighter = now !== undefined && (old === undefined || grows === Number(now) > Number(old));
    const text = tighter
      ? localize`"${field}": ${keyword} is stricter (${change})`
      : localize`"${field}": ${keyword} is wider (${change})`;
    return [{ breaking: tighter, text }];
  });
}

function compareTexts(was: CheckedScreen, is: CheckedScreen): readonly DefinitionChange[] {
  return [...is.uis].flatMap(([language, ui]) => {
    const [old, now] = [
      indexTextsByPointer((was.uis.get(language) ?? {}) as Json),
      indexTextsByPointer(ui as unknown as Json),
    ]; // cast: an interface is not assignable to `Json`
    return [...now].flatMap(([pointer, text]) => {
      const before = old.get(pointer);
      if (before === undefined || before === text) return [];
      const changedText = localize`(${language}): "${before}" → "${text}"`;
      return { breaking: false, where: is.id, place: { pointer, ui: is.ui }, text: changedText };
    });
  });
}

function resolveFieldTitle(ui: ScreenUi, name: string): string {
  return findFieldUiText(ui, name, 'ui:title') ?? name;
}

function formatValue(value: Json | undefined): string {
  return value === undefined ? '–' : JSON.stringify(value);
}

export interface DefinitionChange {
  /** Whether the change may break an open form, saved progress or an existing link. */
  readonly breaking: boolean;
  readonly where: string;
  /** Location of a changed text in its screen. Callers use it to describe the text to users. */
  readonly place?: { readonly pointer: string; readonly ui: ScreenUi };
  readonly text: LocalizedText;
}

function compareSets(
  before: Iterable<string>,
  after: Iterable<string>,
): { readonly gone: readonly string[]; readonly come: readonly string[]; readonly both: readonly string[] } {
  const [old, now] = [new Set(before), new Set(after)];
  return {
    gone: [...old].filter((name) => !now.has(name)),
    come: [...now].filter((name) => !old.has(name)),
    both: [...now].filter((name) => old.has(name)),
  };
}

export function compareDefinitions(
  before: LoweredDefinitions,
  after: LoweredDefinitions,
  access: AccessLevels,
): readonly DefinitionChange[] {
  const changes = [
    ...compareFlows(before.flows, after.flows, access),
    ...compareScreens(before.screens, after.screens),
    ...compareCommonTexts(before.set, after.set),
  ];
  return [...changes.filter(({ breaking }) => breaking), ...changes.filter(({ breaking }) => !breaking)];
}

function compareCommonTexts(before: DefinitionFiles, after: DefinitionFiles): readonly DefinitionChange[] {
  return [...after.commonTexts].flatMap(([name, file]) => {
    const old = pickTextEntries(before.commonTexts.get(name));
    return Object.entries(pickTextEntries(file)).flatMap(([key, text]): DefinitionChange[] => {
      const was = old[key];
      if (was === undefined || was === text) return [];
      return [{ breaking: false, where: file.path, text: localize`${key}: "${was}" → "${text}"` }];
    });
  });
}

function compareFlows(
  before: readonly Flow[],
  after: readonly Flow[],
  words: AccessLevels,
): readonly DefinitionChange[] {
  const old = new Map(before.map((flow) => [flow.id, flow]));
  const now = new Map(after.map((flow) => [flow.id, flow]));
  const ids = compareSets(old.keys(), now.keys());
  return [
    ...compareRoutes(before, after, words),
    ...ids.gone.map((where) => ({ breaking: false, where, text: localize`the flow is gone` })),
    ...ids.come.map((where) => ({ breaking: false, where, text: localize`a new flow` })),
    ...ids.both.flatMap((id) => {
      const [was, is] = [old.get(id), now.get(id)];
      return was && is && JSON.stringify(was) !== JSON.stringify(is) ? compareFlow(was, is) : [];
    }),
  ];
}

function isWithin(word: AccessLevelName, other: AccessLevelName, words: AccessLevels): boolean {
  if (word === other || other === anyoneAccess) return true;
  const enclosing = word === anyoneAccess ? undefined : (words[word]?.within ?? anyoneAccess);
  return enclosing !== undefined && isWithin(enclosing, other, words);
}

function compareRoutes(
  before: readonly Flow[],
  after: readonly Flow[],
  words: AccessLevels,
): readonly DefinitionChange[] {
  const old = new Map(before.flatMap(listFlowRoutes).map((route) => [route.path, route]));
  const now = new Map(after.flatMap(listFlowRoutes).map((route) => [route.path, route]));
  const paths = compareSets(old.keys(), now.keys());
  return [
    ...paths.gone.map((path) => {
      return { breaking: true, where: old.get(path)?.flow ?? '', text: localize`the address ${path} is gone` };
    }),
    ...paths.come.map((path) => {
      return { breaking: false, where: now.get(path)?.flow ?? '', text: localize`a new address: ${path}` };
    }),
    ...paths.both.flatMap((path) => {
      const [was, is] = [old.get(path)?.access ?? anyoneAccess, now.get(path)?.access ?? anyoneAccess];
      const text = localize`${path}: access changed from "${was}" to "${is}"`;
      return was === is ? [] : { breaking: !isWithin(was, is, words), where: now.get(path)?.flow ?? '', text };
    }),
  ];
}

function compareFlow(was: Flow, is: Flow): readonly DefinitionChange[] {
  const queries = compareSets(listQueryVariables(was), listQueryVariables(is));
  const states = compareSets(Object.keys(was.states), Object.keys(is.states));
  const operations = compareSets(listOperations(was), listOperations(is));
  const changed = states.both.filter((name) => JSON.stringify(was.states[name]) !== JSON.stringify(is.states[name]));
  const describe = (names: readonly string[], text: (name: string) => LocalizedText, breaking = false) =>
    names.map((name) => ({ breaking, where: is.id, text: text(name) }));
  return [
    ...describe(queries.gone, (name) => localize`no longer reads "${name}" of the address`, true),
    ...describe(queries.come, (name) => localize`reads "${name}" of the address`),
    ...describe(states.gone, (name) => localize`the state "${name}" is gone`),
    ...describe(states.come, (name) => localize`a new state: "${name}"`),
    ...describe(operations.gone, (name) => localize`no longer calls ${name}`),
    ...describe(operations.come, (name) => localize`calls ${name}`),
    ...compareSavedProgress(was, is),
    ...describe(changed, (name) => localize`the state "${name}" changed`),
  ];
}

function compareSavedProgress({ save: was }: Flow, { id: where, save: is }: Flow): readonly DefinitionChange[] {
  if (!is) return was ? [{ breaking: true, where, text: localize`no longer saves the steps of signed-in users` }] : [];
  if (!was) return [{ breaking: false, where, text: localize`saves the steps of signed-in users for ${is.days} days` }];
  const { come } = compareSets(was.without ?? [], is.without ?? []);
  return [
    ...(was.days === is.days
      ? []
      : [
          {
            breaking: is.days < was.days,
            where,
            text: localize`saves the steps for ${is.days} days, before ${was.days}`,
          },
        ]),
    ...come.map((field): DefinitionChange => ({ breaking: false, where, text: localize`no longer saves «${field}»` })),
  ];
}

function listOperations({ states }: Flow): readonly string[] {
  return Object.values(states).flatMap((state) => listStateInvocations(state).map(({ src }) => src));
}
