import { isOfSeparatePortal } from '../../core/manifest.ts';
import type { SetOptions } from '../definitions.ts';
import { sharedInputs, type FileSet } from '../files/read-set.ts';
import type { LoweredFlow } from '../ir.ts';
import type { LoadCache } from '../sources/load-cache.ts';
import type { Problems } from '../sources/source-file.ts';
import { raisedNotices, readNotices, type SharedNotices } from './shared-notices.ts';
import { readPresets, type Presets } from './shared-presets.ts';

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
    raised: raisedNotices(flows),
    separate: new Set(separate.flatMap(({ flow }) => Object.values(flow.states).flatMap(({ screen }) => screen ?? []))),
  };
}
