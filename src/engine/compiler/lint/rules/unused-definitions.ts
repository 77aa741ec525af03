import { isObject } from '../../../core/json.ts';
import { escapePointer, findByPointer } from '../../../core/json-pointer.ts';
import { indexRaisedNoticesByScreen, listStateBranches } from '../../flow/flow-queries.ts';
import { explain } from '../../sources/localized-text.ts';
import type { LintInput } from '../lint-input.ts';
import { createDefinitionsLintRule, createFindingAt, type LintFinding } from '../lint-rule.ts';

function* findUnusedNotices({ flows, screens }: LintInput): Iterable<LintFinding> {
  const raisedOn = indexRaisedNoticesByScreen(flows);
  for (const {
    id,
    files: { ui: file },
  } of screens.values()) {
    const own = findByPointer(file.value, '/notices');
    for (const name of Object.keys(isObject(own) ? own : {}).filter((one) => !raisedOn.get(id)?.has(one))) {
      const copied = findCopiedNotice(flows, id);
      if (copied)
        yield createFindingAt(copied)(explain`
          Two branches raise the notice "${copied.notice}", and none the notice "${name}" of this screen.
          Name "${name}" in the branch to which it belongs, or remove it from ui.json.`);
      else
        yield createFindingAt({ file, pointer: `/notices/${escapePointer(name)}`, remove: true })(explain`
        No flow raises the notice "${name}" on this screen.
        Remove it, or name it in a branch ("notice").`);
    }
  }
}

/** Returns the only branch on a screen that raises the notice of an earlier branch with another guard. Returns `undefined` if there are none or several. */
function findCopiedNotice(flows: LintInput['flows'], screen: string) {
  const copies = flows.flatMap(({ flow, pointers, file }) =>
    Object.values(flow.states).flatMap((state) => {
      const branches = listStateBranches(state).filter(
        ({ guard, target }) => guard !== undefined && (flow.states[target ?? ''] ?? state).screen === screen,
      );
      return branches.flatMap((branch, index) => {
        const { notice } = branch;
        const pointer = pointers.get(branch);
        const isCopy = branches.slice(0, index).some((other) => other.notice === notice && other !== branch);
        return isCopy && notice !== undefined && pointer !== undefined ? [{ file, pointer, notice }] : [];
      });
    }),
  );
  return new Set(copies.map(({ pointer }) => pointer)).size === 1 ? copies[0] : undefined;
}

function* findUnusedDefinitions({ set, flows, screens }: LintInput): Iterable<LintFinding> {
  const files = [...set.screens.flatMap(({ schema }) => schema ?? []), ...set.shared.values()];
  const texts = files.map(({ text }) => text).join('\n');
  const raisedOn = indexRaisedNoticesByScreen(flows);
  const raised = [...screens.keys()].flatMap((id) => [...(raisedOn.get(id) ?? [])]);
  for (const [name, file] of set.shared) {
    const defs = findByPointer(file.value, '/$defs');
    const isUsed = (own: string) =>
      name.startsWith('notices.') ? raised.includes(own) : texts.includes(`#/$defs/${own}"`);
    for (const own of Object.keys(isObject(defs) ? defs : {}).filter((one) => !isUsed(one)))
      yield createFindingAt({
        file,
        pointer: `/$defs/${escapePointer(own)}`,
        remove: true,
      })(explain`Nothing uses "${own}".
        Remove what nothing uses.`);
  }
}

export const uiUnused = createDefinitionsLintRule('ui/unused', 'W', findUnusedNotices, findUnusedDefinitions);
