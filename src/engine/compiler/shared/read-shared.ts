import { isOfSeparatePortal } from '../../core/manifest.ts';
import type { SetOptions } from '../definitions.ts';
import { sharedInputs, type FileSet } from '../files/read-set.ts';
import type { LoweredFlow } from '../ir.ts';
import type { LoadCache } from '../sources/load-cache.ts';
import type { Problems } from '../sources/source-file.ts';
import { readPresets, type Presets } from './shared-presets.ts';
import type { Notice, Ui } from '../../core/definition.ts';
import { isObject } from '../../core/json.ts';
import { indexNotices } from '../flow/saved-screens.ts';
import { checkFormat } from '../formats/check-format.ts';
import { translated } from './translated.ts';

/** Inputs that all screens share, apart from shared field definitions. */
export interface SharedParts {
  /** Files that notices and presets are read from. */
  readonly files: readonly unknown[];
  readonly notices: SharedNotices;
  readonly presets: Presets;
  readonly widgets: readonly string[];
  /** Facts that plugin rules may read. */
  readonly facts: readonly string[] | undefined;
  /** Notices that the flows raise, by screen. */
  readonly raised: ReadonlyMap<string, ReadonlySet<string>>;
  /** Screens of the separate portal, which do not need translations. */
  readonly separate: ReadonlySet<string>;
}

export function readShared(
  set: FileSet,
  flows: readonly LoweredFlow[],
  { facts, validated, separatePortal, widgets = [] }: Partial<SetOptions>,
  problems: Problems,
  cache: LoadCache,
): SharedParts {
  const files = sharedInputs(set);
  const separate = flows.filter(({ flow }) => isOfSeparatePortal(flow, separatePortal?.access));
  return {
    files,
    notices: cache.checked('notices', files, problems, (own) => readNotices(set, own)),
    presets: cache.checked('presets', files, problems, (own) => readPresets(set, own)),
    widgets,
    facts: facts && [...new Set(facts.map((path) => path.split('.')[0] ?? '')), ...(validated?.own ?? [])],
    raised: indexNotices(flows),
    separate: new Set(separate.flatMap(({ flow }) => Object.values(flow.states).flatMap(({ screen }) => screen ?? []))),
  };
}

/** Shared notices of schemas/_shared/notices.json, by language and name. */
type SharedNotices = ReadonlyMap<string, Readonly<Record<string, Notice>>>;

function readNotices(set: FileSet, problems: Problems): SharedNotices {
  const notices = new Map<string, Readonly<Record<string, Notice>>>();
  const base = set.shared.get('notices.json');
  if (!base || !checkFormat(base, 'notices', problems)) return notices;
  for (const language of set.languages) {
    const value =
      language === set.baseLanguage
        ? base.value
        : translated(base, set.shared.get(`notices.${language}.json`), language, problems);
    if (isObject(value)) notices.set(language, value.$defs as unknown as Readonly<Record<string, Notice>>); // the format was just checked
  }
  return notices;
}

/** Adds the shared notices that are raised on the screen. The screen's own notices take precedence. */
export function takeNotices(ui: Ui, shared: Readonly<Record<string, Notice>>, raised: ReadonlySet<string>): Ui {
  const taken = Object.entries(shared).filter(([name]) => raised.has(name));
  return taken.length === 0 ? ui : { ...ui, notices: { ...Object.fromEntries(taken), ...ui.notices } };
}
