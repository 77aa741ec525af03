import type { Ui } from '../core/definition.ts';
import type { JsonObject } from '../core/json.ts';
import { checkSchema } from './check/schema/schema.ts';
import { describePlugins } from './files/index-plugins.ts';
import { mergeMessages, type FileSet } from './files/read-file-set.ts';
import { checkFormat } from './formats/check-format.ts';
import type { CheckedFiles, CheckedScreen, ScreenDraft } from './ir.ts';
import { lowerRjsfUi } from './json-schema/lower-rjsf-ui.ts';
import { lowerSchema, withVisible, type LoweredSchema } from './json-schema/lower-schema.ts';
import { movePresentation } from './json-schema/move-presentation.ts';
import { readProperties } from './screen/fields.ts';
import { copyColumnTexts, mergeOverPresets, type SharedInputs, addSharedNotices } from './shared/read-shared.ts';
import { resolveSchema } from './shared/resolve-schema.ts';
import { translateFile } from './shared/texts.ts';
import type { LoadCache } from './sources/load-cache.ts';
import { hashForUrl } from './sources/hash.ts';
import { explain } from './sources/say.ts';
import type { Problems } from './sources/source-file.ts';

interface PassContext {
  readonly id: string;
  readonly set: FileSet;
  readonly shared: SharedInputs;
  readonly lowered: LoweredSchema | null;
  readonly language: string;
  readonly isWidget: (name: string) => boolean;
}

type Pass = (screen: ScreenDraft, around: PassContext) => ScreenDraft;

/** Passes over a screen in one language, in execution order. */
const passes: readonly Pass[] = [mergePresets, copyColumns, presentSchema, addVisibility, addNotices];

/** Lowers every screen: resolves references, lowers JSON Schema, merges shared definitions, and checks the result. */
export function lowerScreens(
  set: FileSet,
  shared: SharedInputs,
  problems: Problems,
  cache: LoadCache,
): readonly CheckedScreen[] {
  const sharedTexts = [...set.shared.values()].map(({ text }) => text);
  const described = hashForUrl(JSON.stringify([shared.facts, sharedTexts, describePlugins(set.plugins)]));
  return set.screens.flatMap(({ ui, ...files }) => {
    const { id, schema, translations } = files;
    if (!ui) return reportMissingUi(id, problems);
    if (set.unread.some((path) => schema?.text.includes(path.replace('schemas/', '../')))) return []; // the fields may be in the unreadable file
    const raised = [...(shared.raised.get(id) ?? [])].sort();
    const words = JSON.stringify([shared.widgets, shared.facts, raised, shared.separate.has(id)]);
    const inputs = [ui, schema, ...translations.values(), set.plugins, words, ...shared.files];
    return (
      cache.checked(`screen ${id}`, inputs, problems, (own) =>
        lowerScreen({ ...files, ui }, set, shared, own, { cache, described }),
      ) ?? []
    );
  });
}

function reportMissingUi(id: string, problems: Problems): [] {
  const at = { path: `schemas/${id}/ui.json`, text: '', tree: undefined };
  if (!problems.list.some(({ file }) => file === at.path))
    problems.report(at)('')(explain`The screen has no ui.json.
      Add one with at least a "title".`);
  return [];
}

function lowerScreen(
  files: CheckedFiles,
  set: FileSet,
  shared: SharedInputs,
  problems: Problems,
  { cache, described }: { readonly cache: LoadCache; readonly described: string },
): CheckedScreen | null {
  const { id, schema: schemaFile, ui: uiFile, translations } = files;
  const isWidget = (name: string) => set.plugins.byName.get(name)?.hasWidget === true || shared.widgets.includes(name);
  const names = Object.keys(readProperties((schemaFile?.value ?? {}) as JsonObject)); // cast: `readProperties` returns no properties for a value that is not an object
  const loweredUi = showsSchemaTexts(set) ? lowerRjsfUi(uiFile.value, { names, isWidget }) : uiFile.value;
  const uiTexts = [uiFile.text, loweredUi === uiFile.value ? '' : JSON.stringify(loweredUi)];
  const isUiFine = cache.passed(`format of ${uiFile.path}`, uiTexts, () =>
    checkFormat(uiFile, 'ui', problems, loweredUi),
  );
  const isSchemaFine =
    schemaFile === null ||
    cache.passed(`format of ${schemaFile.path}`, [schemaFile.text], () => checkFormat(schemaFile, 'screen', problems));
  if (!isUiFine || !isSchemaFine) return null;
  const lowered = schemaFile && lowerSchema(resolveSchema(schemaFile, set.shared, problems), showsSchemaTexts(set));
  const lowerIn = (language: string, ui: Ui) => {
    const passContext = { id, set, shared, lowered, language, isWidget };
    return passes.reduce<ScreenDraft>((screen, pass) => pass(screen, passContext), {
      schema: lowered?.schema ?? null,
      ui,
    });
  };
  const { schema, ui } = lowerIn(set.baseLanguage, loweredUi as unknown as Ui); // cast: ui.json was validated against its format
  const unread = new Set<string>();
  const checkOwn = (): boolean => {
    const before = problems.list.length;
    if (lowered && schema)
      checkSchema({ ...lowered, schema }, set.plugins, shared.facts).forEach((field) => unread.add(field));
    return problems.list.length === before && unread.size === 0;
  };
  cache.passed(`schema of ${id}`, [schemaFile?.text ?? '', JSON.stringify(schema), described], checkOwn);
  if (unread.has('')) return null;
  const uis = new Map([[set.baseLanguage, ui]]);
  for (const language of set.languages.slice(1)) {
    if (!translations.has(language) && shared.separate.has(id)) continue;
    const own = translateFile(uiFile, translations.get(language), language, problems) as Ui | null; // cast: `translateFile` only replaces texts of ui.json
    if (own) uis.set(language, lowerIn(language, own).ui);
  }
  const { requiredWhen = {}, offeredWhen = {}, decidedBy = {} } = lowered ?? {};
  return { id, files, schema, unread, conditions: { requiredWhen, offeredWhen, decidedBy }, ui, uis };
}

/** Whether texts of the schema are shown. True only for definitions in one language, because only ui.json is translated. */
function showsSchemaTexts({ languages }: FileSet): boolean {
  return languages.length === 1;
}

function mergePresets({ schema, ui }: ScreenDraft, { lowered, shared, language }: PassContext): ScreenDraft {
  const presets = shared.presets.get(language);
  return { schema, ui: lowered && presets ? mergeOverPresets(ui, lowered.references, presets) : ui };
}

function copyColumns({ schema, ui }: ScreenDraft): ScreenDraft {
  return { schema, ui: copyColumnTexts(ui) };
}

function presentSchema({ schema, ui }: ScreenDraft, { lowered, set, language, isWidget }: PassContext): ScreenDraft {
  if (!lowered || !schema) return { schema, ui };
  const [messages, choices] = [mergeMessages(set, language), Object.keys(lowered.decidedBy)];
  return movePresentation(schema, ui, { named: showsSchemaTexts(set), messages, isWidget, choices });
}

function addVisibility({ schema, ui }: ScreenDraft, { lowered }: PassContext): ScreenDraft {
  return { schema, ui: lowered ? withVisible(ui, lowered.visible) : ui };
}

function addNotices({ schema, ui }: ScreenDraft, { id, shared, language }: PassContext): ScreenDraft {
  return { schema, ui: addSharedNotices(ui, shared.notices.get(language) ?? {}, shared.raised.get(id) ?? new Set()) };
}
