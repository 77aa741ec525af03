import { belongsToSeparatePortal } from '../../core/definitions-manifest.ts';
import type { CompileProjectOptions, FieldReadByOperation } from '../definitions.ts';
import { listSharedCacheInputs, noticesName, type DefinitionFiles } from '../files/read-definition-files.ts';
import type { LoweredFlow } from '../intermediate-representation.ts';
import type { DefinitionLoadCache } from '../sources/load-cache.ts';
import type { ProblemCollector } from '../sources/problem-collector.ts';
import type { ScreenNotice, FieldUi } from '../../core/flow-and-screen-types.ts';
import { isObject, type Json } from '../../core/json.ts';
import { indexRaisedNoticesByScreen } from '../flow/flow-queries.ts';
import { mergeTranslation } from './translation.ts';

import { formatDefinitionReference } from './resolve-schema.ts';
import { explain, suggestSimilarName } from '../sources/localized-text.ts';

export interface SharedScreenInputs {
  readonly files: readonly unknown[];
  readonly notices: SharedNotices;
  readonly presets: Presets;
  readonly widgets: readonly string[];
  readonly facts: readonly string[] | undefined;
  readonly raisedNotices: ReadonlyMap<string, ReadonlySet<string>>;
  /** Screens of the separate portal, which do not need translations. */
  readonly separatePortalScreens: ReadonlySet<string>;
  readonly reads: readonly FieldReadByOperation[];
}

export function readSharedScreenInputs(
  set: DefinitionFiles,
  flows: readonly LoweredFlow[],
  { facts, validated, separatePortal, reads = [], widgets = [] }: Partial<CompileProjectOptions>,
  problems: ProblemCollector,
  cache: DefinitionLoadCache,
): SharedScreenInputs {
  const files = listSharedCacheInputs(set);
  const separate = flows.filter(({ flow }) => belongsToSeparatePortal(flow, separatePortal?.access));
  const isIncomplete = set.unusableFiles.some((file) => file.startsWith('flows/')) || flows.length < set.flows.length;
  const shown = listShownScreens(flows);
  const ids = set.screens.map(({ id }) => id);
  const unshown = separatePortal && isIncomplete ? ids.filter((id) => !shown.includes(id)) : []; // a faulty flow of the separate portal may show them
  return {
    files,
    notices: cache.getOrCheck('notices', files, problems, (own) => readNotices(set, own)),
    presets: cache.getOrCheck('presets', files, problems, (own) => readPresets(set, own)),
    widgets,
    facts: facts && [...new Set(facts.map((path) => path.split('.')[0] ?? '')), ...(validated?.own ?? [])],
    raisedNotices: indexRaisedNoticesByScreen(flows),
    reads,
    separatePortalScreens: new Set([...listShownScreens(separate), ...unshown]),
  };
}

function listShownScreens(flows: readonly LoweredFlow[]): readonly string[] {
  return flows.flatMap(({ flow }) => Object.values(flow.states).flatMap(({ screen }) => screen ?? []));
}

type SharedNotices = ReadonlyMap<string, Readonly<Record<string, ScreenNotice>>>;

function readNotices(set: DefinitionFiles, problems: ProblemCollector): SharedNotices {
  const notices = new Map<string, Readonly<Record<string, ScreenNotice>>>();
  const base = set.shared.get(noticesName);
  if (!base) return notices;
  for (const language of set.languages) {
    const value =
      language === set.baseLanguage
        ? base.value
        : mergeTranslation(base, set.shared.get(`notices.${language}.json`), language, problems, set.unusableFiles);
    if (isObject(value)) notices.set(language, value.$defs as unknown as Readonly<Record<string, ScreenNotice>>); // cast: the file was validated against its format
  }
  return notices;
}

/** Defaults of a shared definition for each field that refers to it. The screen's own ui takes precedence. */
export interface FieldPreset {
  readonly ui?: FieldUi;
  readonly messages?: Readonly<Record<string, string>>;
}

/** Presets by language and by reference to the shared definition (`person.json#/$defs/email`). */
type Presets = ReadonlyMap<string, ReadonlyMap<string, FieldPreset>>;

/** Reads the presets of schemas/_shared in every language. For example, person.pt.json has the Portuguese texts of person.json. */
function readPresets(set: DefinitionFiles, problems: ProblemCollector): Presets {
  const { baseLanguage } = set;
  const presets = new Map(set.languages.map((language) => [language, new Map<string, FieldPreset>()]));
  for (const [name, file] of set.shared) {
    const brought = pickPresets(file.value);
    if (brought === null) continue;
    for (const language of set.languages) {
      const twin = set.sharedTexts.get(name.replace(/\.json$/, `.${language}.json`));
      const value =
        language === baseLanguage
          ? brought
          : mergeTranslation({ ...file, value: brought }, twin, language, problems, set.unusableFiles);
      const definitions = isObject(value) ? (value.$defs as Readonly<Record<string, FieldPreset>>) : {}; // cast: the file was validated against its format
      for (const [definition, preset] of Object.entries(definitions))
        presets.get(language)?.set(formatDefinitionReference(file, definition), preset);
    }
  }
  for (const [name, twin] of set.sharedTexts) {
    const baseName = name.replace(/\.\w+\.json$/, '.json');
    const base = set.shared.get(baseName);
    if (set.unusableFiles.some((path) => path.endsWith(`/_shared/${baseName}`))) continue;
    if (!base)
      problems.report(twin)('')(explain`The file translates nothing.
        ${suggestSimilarName(baseName, set.shared.keys())}Give it the name of the file that it translates.`);
    else if (pickPresets(base.value) === null)
      problems.report(twin)('')(explain`The file translates nothing.
        Remove it, or add "ui" or "messages" to the definitions of the untranslated file.`);
  }
  return presets;
}

// Returns only the keys `ui` and `messages` of each definition of a file. Returns `null` if no definition has either.
function pickPresets(value: Json): Json | null {
  const definitions = isObject(value) && isObject(value.$defs) ? (value.$defs as Record<string, Json>) : {};
  const found = Object.entries(definitions).flatMap(([name, definition]) => {
    if (!isObject(definition) || !('ui' in definition || 'messages' in definition)) return [];
    const { ui, messages } = definition as Readonly<Record<string, Json>>;
    return [[name, { ...(ui === undefined ? {} : { ui }), ...(messages === undefined ? {} : { messages }) }] as const];
  });
  return found.length === 0 ? null : { $defs: Object.fromEntries(found) };
}
