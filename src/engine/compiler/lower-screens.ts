import type { ScreenUi } from '../core/flow-and-screen-types.ts';
import { checkButtonEvents } from './check/ui/check-ui-schema.ts';
import { asObject, isObject, type JsonObject } from '../core/json.ts';
import { checkKeywordsAmongFields, moveFieldsIntoProperties } from './check/schema/rule-keywords.ts';
import { checkSchema } from './check/schema/check-schema.ts';
import {
  indexMissingFields,
  restoreMissingFields,
  type MissingField,
} from './check/schema/fields-read-by-operations.ts';
import { listPluginCacheInputs } from './files/index-plugins.ts';
import { collectMessagesOfLanguage, type DefinitionFiles } from './files/read-definition-files.ts';
import { checkFileFormat } from './formats/check-file-format.ts';
import type { ScreenFilesWithUi, CheckedScreen, ScreenSchemaAndUi } from './intermediate-representation.ts';
import { convertFromRjsfUi } from './json-schema/convert-from-rjsf-ui.ts';
import { lowerSchema, addVisibilityRules } from './json-schema/lower-schema.ts';
import { movePresentationToUi } from './json-schema/move-presentation-to-ui.ts';
import { readSchemaProperties } from './screen/schema-fields.ts';
import { type SharedScreenInputs } from './shared/read-shared-definitions.ts';
import { copyMatrixColumnTexts, mergeUiOverPresets, addSharedNotices } from './shared/apply-shared-definitions.ts';
import { resolveSchema } from './shared/resolve-schema.ts';
import { mergeTranslation } from './shared/translation.ts';
import type { DefinitionLoadCache } from './sources/load-cache.ts';
import { hashForUrl } from './sources/hash-for-url.ts';
import { explain, findNearestName } from './sources/localized-text.ts';
import type { ProblemCollector } from './sources/problem-collector.ts';
import type { SourceFile } from './sources/source-file.ts';

export function lowerScreens(
  set: DefinitionFiles,
  shared: SharedScreenInputs,
  problems: ProblemCollector,
  cache: DefinitionLoadCache,
): readonly CheckedScreen[] {
  const sharedTexts = [...set.shared.values()].map(({ text }) => text);
  const described = hashForUrl(JSON.stringify([shared.facts, sharedTexts, listPluginCacheInputs(set.plugins)]));
  const unusable = listUnusableSharedFiles(set);
  const missingFields = indexMissingFields(set, shared.reads);
  return set.screens.flatMap(({ ui, ...files }) => {
    const { id, schema, translations } = files;
    if (!ui) return reportMissingUi(id, problems);
    if (set.unusableFiles.includes(`schemas/${id}/schema.json`)) return [];
    if (unusable.some((name) => schema?.text.includes(`/_shared/${name}`))) return []; // skip a screen whose fields may be in an unusable file
    const raised = [...(shared.raisedNotices.get(id) ?? [])].sort();
    const missing = missingFields.get(id) ?? [];
    const words = JSON.stringify([shared.widgets, shared.facts, raised, shared.separatePortalScreens.has(id), missing]);
    const inputs = [ui, schema, ...translations.values(), set.plugins, words, ...shared.files];
    return (
      cache.getOrCheck(`screen ${id}`, inputs, problems, (own) =>
        lowerScreen({ ...files, ui }, set, shared, own, { cache, described, missing }),
      ) ?? []
    );
  });
}

/** Returns the names of the shared files that are unusable, or that refer to an unusable one. */
function listUnusableSharedFiles({ shared, unusableFiles }: DefinitionFiles): readonly string[] {
  const names = unusableFiles.flatMap((path) => /\/_shared\/([^/]+)$/.exec(path)?.[1] ?? []);
  for (const name of names)
    for (const [other, { text }] of shared) if (!names.includes(other) && text.includes(`${name}#`)) names.push(other); // the loop also visits names that it adds
  return names;
}

function reportMissingUi(id: string, problems: ProblemCollector): [] {
  const at = { path: `schemas/${id}/ui.json`, text: '', tree: undefined };
  if (!problems.list.some(({ file }) => file === at.path))
    problems.report(at)('')(explain`The screen has no ui.json.
      Add one with at least a "title".`);
  return [];
}

function lowerScreen(
  files: ScreenFilesWithUi,
  set: DefinitionFiles,
  shared: SharedScreenInputs,
  problems: ProblemCollector,
  {
    cache,
    described,
    missing,
  }: { readonly cache: DefinitionLoadCache; readonly described: string; readonly missing: readonly MissingField[] },
): CheckedScreen | null {
  const { id, schema: schemaFile, ui: uiFile, translations, unreadNames } = files;
  const isWidget = (name: string) => set.plugins.byName.get(name)?.hasWidget === true || shared.widgets.includes(name);
  const names = Object.keys(readSchemaProperties((schemaFile?.value ?? {}) as JsonObject)); // cast: `readSchemaProperties` returns no properties for a value that is not an object
  const loweredUi = showsSchemaTexts(set) ? convertFromRjsfUi(uiFile.value, names, isWidget) : uiFile.value;
  const uiTexts = [uiFile.text, loweredUi === uiFile.value ? '' : JSON.stringify(loweredUi)];
  const isUiFine = cache.checkOnce(`format of ${uiFile.path}`, uiTexts, () =>
    checkFileFormat(uiFile, 'ui', problems, loweredUi),
  );
  const isSchemaFine =
    schemaFile === null ||
    cache.checkOnce(
      `format of ${schemaFile.path}`,
      [schemaFile.text, described],
      () =>
        checkKeywordsAmongFields(schemaFile.value, set.plugins, problems.report(schemaFile)) &&
        checkFileFormat(schemaFile, 'screen', problems),
    );
  if (!isUiFine || !isSchemaFine) return null;
  if (!schemaFile && isObject(loweredUi) && loweredUi.fields !== undefined) {
    problems.report(uiFile)('/fields')(explain`The screen has fields but no schema.json.
      Add a schema.json beside this file, or remove "fields".`);
    return null;
  }
  const { resolved, restored } = restoreMissingFields(
    moveFieldsIntoProperties(schemaFile && resolveSchema(schemaFile, set, problems), set.plugins),
    missing,
    problems.report(schemaFile ?? uiFile),
  );
  const lowered = resolved && lowerSchema(resolved, showsSchemaTexts(set));
  const lowerIn = (language: string, own: ScreenUi): ScreenSchemaAndUi => {
    const presets = lowered && shared.presets.get(language);
    const merged = copyMatrixColumnTexts(presets ? mergeUiOverPresets(own, lowered.references, presets) : own);
    const withNotices = (ui: ScreenUi) =>
      addSharedNotices(ui, shared.notices.get(language) ?? {}, shared.raisedNotices.get(id) ?? new Set());
    if (!lowered) return { schema: null, ui: withNotices(merged) };
    const messages = collectMessagesOfLanguage(set, language);
    const choices = Object.keys(lowered.decidedBy);
    const isPluginFormat = (name: string) => set.plugins.formats.has(name);
    const words = { named: showsSchemaTexts(set), messages, isWidget, isPluginFormat, choices };
    const presented = movePresentationToUi(lowered.schema, merged, words);
    return { ...presented, ui: withNotices(addVisibilityRules(presented.ui, lowered.visible)) };
  };
  checkButtonEvents(loweredUi as unknown as ScreenUi, problems.report(uiFile)); // cast: ui.json was validated against its format
  const { schema, ui } = lowerIn(set.baseLanguage, loweredUi as unknown as ScreenUi); // cast: ui.json was validated against its format
  const unread = new Set<string>();
  const checkOwn = (): boolean => {
    const before = problems.list.length;
    if (lowered && schema)
      checkSchema({ ...lowered, schema }, set.plugins, shared.facts).forEach((field) => unread.add(field));
    return problems.list.length === before && unread.size === 0;
  };
  cache.checkOnce(`schema of ${id}`, [schemaFile?.text ?? '', JSON.stringify(schema), described], checkOwn);
  if (unread.has('')) return null;
  restored.forEach((field) => unread.add(field));
  const uis = new Map([[set.baseLanguage, ui]]);
  for (const language of set.languages.slice(1)) {
    const isMisnamed = findNearestName(`ui.${language}.json`, unreadNames) !== undefined;
    if (!translations.has(language) && (isMisnamed || shared.separatePortalScreens.has(id))) continue;
    const own = mergeTranslation(
      uiFile,
      omitRemovedFields(translations.get(language), uiFile, restored),
      language,
      problems,
      set.unusableFiles,
    ) as ScreenUi | null; // cast: `mergeTranslation` only replaces texts of ui.json
    if (own) uis.set(language, lowerIn(language, own).ui);
  }
  const { requiredWhen = {}, offeredWhen = {}, decidedBy = {} } = lowered ?? {};
  return { id, files, schema, unreadableFields: unread, conditions: { requiredWhen, offeredWhen, decidedBy }, ui, uis };
}

/** Returns a translation without the texts of fields that were removed from schema.json and ui.json, because a removed field is reported at its schema. */
function omitRemovedFields(
  translation: SourceFile | undefined,
  ui: SourceFile,
  removed: readonly string[],
): SourceFile | undefined {
  const { fields, ...rest } = asObject(translation?.value);
  const { fields: shown } = asObject(ui.value);
  if (!translation || !isObject(fields)) return translation;
  const left = Object.entries(fields).filter(
    ([name]) => !removed.includes(name) || Object.hasOwn(asObject(shown), name),
  );
  return { ...translation, value: { ...rest, fields: Object.fromEntries(left) } as JsonObject };
}

/** Whether texts of the schema are shown. True only for definitions in one language, because only ui.json is translated. */
function showsSchemaTexts({ languages }: DefinitionFiles): boolean {
  return languages.length === 1;
}
