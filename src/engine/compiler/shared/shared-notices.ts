import type { Flow, Notice, Ui } from '../../core/definition.ts';
import { isObject } from '../../core/json.ts';
import { noticesOfSave, savedScreens } from '../flow/saved-screens.ts';
import { branchesOfState } from '../flow/branches-of-state.ts';
import { checkFormat } from '../formats/check-format.ts';
import { translated } from './translated.ts';
import type { FileSet } from '../files/read-set.ts';
import type { Problems } from '../sources/source-file.ts';

/** Shared notices of schemas/_shared/notices.json, by language and name. */
export type SharedNotices = ReadonlyMap<string, Readonly<Record<string, Notice>>>;

export function readNotices(set: FileSet, problems: Problems): SharedNotices {
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

export function raisedNotices(flows: readonly { readonly flow: Flow }[]): ReadonlyMap<string, ReadonlySet<string>> {
  const raised = new Map<string, Set<string>>();
  for (const { flow } of flows) {
    for (const state of Object.values(flow.states)) {
      for (const { notice, target } of branchesOfState(state)) {
        const { screen } = (target === undefined ? state : flow.states[target]) ?? {};
        if (notice === undefined || screen === undefined) continue;
        raised.set(screen, (raised.get(screen) ?? new Set()).add(notice));
      }
    }
    for (const screen of savedScreens(flow))
      for (const notice of noticesOfSave(flow)) raised.set(screen, (raised.get(screen) ?? new Set()).add(notice));
  }
  return raised;
}

/** Adds the shared notices that are raised on the screen. The screen's own notices take precedence. */
export function takeNotices(ui: Ui, shared: Readonly<Record<string, Notice>>, raised: ReadonlySet<string>): Ui {
  const taken = Object.entries(shared).filter(([name]) => raised.has(name));
  return taken.length === 0 ? ui : { ...ui, notices: { ...Object.fromEntries(taken), ...ui.notices } };
}
