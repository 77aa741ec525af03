import { isObject } from '../../../core/json.ts';
import { escapePointer, findByPointer, splitPointer, walkJson } from '../../../core/json-pointer.ts';
import { indexRaisedNoticesByScreen, listStateBranches } from '../../flow/flow-queries.ts';
import { explain, localize } from '../../sources/localized-text.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { LintInput } from '../lint-input.ts';
import { createDefinitionsLintRule, createFindingAt, type LintFinding } from '../lint-rule.ts';
import { countRelatedWords } from '../wording/words.ts';

function* findUnusedNotices({ flows, screens }: LintInput): Iterable<LintFinding> {
  const raisedOn = indexRaisedNoticesByScreen(flows);
  for (const {
    id,
    files: { ui: file },
  } of screens.values()) {
    const own = findByPointer(file.value, '/notices');
    for (const name of Object.keys(isObject(own) ? own : {}).filter((one) => !raisedOn.get(id)?.has(one))) {
      const copied = findCopiedNotice(flows, id, name);
      if (copied)
        yield createFindingAt({ file: copied.file, pointer: copied.pointer })(explain`
          Two branches raise the notice "${copied.notice}", and none the notice "${name}" of this screen.
          Name "${name}" in the branch to which it belongs, or remove it from ui.json.`);
      else
        yield createFindingAt({ file, pointer: `/notices/${escapePointer(name)}`, remove: true })(explain`
          No flow raises the notice "${name}" on this screen.
          Name it in a branch ("notice"), or remove it.`);
    }
  }
}

/**
 * Returns the branch that probably should raise the notice `unused` of a screen, but raises the notice of another branch. Its state and event resemble
 * `unused` more than that notice, or no other branch follows one of its state with the same notice and another guard.
 */
function findCopiedNotice(flows: LintInput['flows'], screen: string, unused: string) {
  const raising = flows.flatMap(({ flow, pointers, file }) =>
    Object.values(flow.states).flatMap((state) =>
      listStateBranches(state).flatMap((branch) => {
        const { guard, notice, target } = branch;
        const pointer = pointers.get(branch);
        const isShown = (flow.states[target ?? ''] ?? state).screen === screen;
        return isShown && notice !== undefined && pointer !== undefined
          ? [{ file, pointer, notice, guard, state }]
          : [];
      }),
    ),
  );
  const distinct = [...new Map(raising.map((one) => [`${one.file.path} ${one.pointer}`, one])).values()];
  const copies = distinct.filter((one) => distinct.some((other) => other !== one && other.notice === one.notice));
  const named = copies.filter(
    ({ pointer, notice }) => countRelatedWords(unused, pointer) > countRelatedWords(notice, pointer),
  );
  const later = copies.filter(
    (one, index) =>
      one.guard !== undefined &&
      copies
        .slice(0, index)
        .some(({ notice, guard, state }) => notice === one.notice && guard !== undefined && state === one.state),
  );
  const found = named.length > 0 ? named : later;
  return found.length === 1 ? found[0] : undefined;
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
    for (const own of Object.keys(isObject(defs) ? defs : {}).filter((one) => !isUsed(one))) {
      const copied = findWrongReference(files, name, own);
      if (copied)
        yield createFindingAt({ ...copied, value: copied.reference.replace(/[^/]*$/, own) })(explain`
          "${copied.field}" uses the definition "${copied.used}", and nothing uses "${own}" of the same file.
          Write "${copied.reference.replace(/[^/]*$/, own)}", or remove the definition that nothing uses.`);
      else
        yield createFindingAt({ file, pointer: `/$defs/${escapePointer(own)}`, remove: true })(explain`
          Nothing uses "${own}".
          ${name.startsWith('notices.') ? localize`Name it in a branch ("notice"), or remove it.` : localize`Refer to it with "$ref", or remove it.`}`);
    }
  }
}

/** Returns the `$ref` whose field resembles `unused` more than the definition to which it refers. Returns `undefined` if none is the best. */
function findWrongReference(files: readonly SourceFile[], shared: string, unused: string) {
  const found = files.flatMap((file) =>
    [...walkJson(file.value)].flatMap(([pointer, reference]) => {
      const [field = '', keyword] = splitPointer(pointer).slice(-2);
      if (keyword !== '$ref' || typeof reference !== 'string' || !reference.includes(`${shared}#/$defs/`)) return [];
      const used = reference.slice(reference.lastIndexOf('/') + 1);
      const likeness = countRelatedWords(field, unused);
      return likeness > countRelatedWords(field, used) ? [{ file, pointer, reference, field, used, likeness }] : [];
    }),
  );
  const [best, second] = found.toSorted((a, b) => b.likeness - a.likeness);
  return best?.likeness === second?.likeness ? undefined : best;
}

export const uiUnused = createDefinitionsLintRule('ui/unused', 'W', findUnusedNotices, findUnusedDefinitions);
