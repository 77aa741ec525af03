import { placeholders } from '../../../core/messages.ts';
import { type Finding, type LintedFlow, type Subject, flowRule, screenRule } from '../subject.ts';
import { listParts, listNoticeTexts } from '../../explore/screens.ts';
import { decide } from '../../explore/evaluate-rules.ts';
import { isTrue } from '../../explore/assignment.ts';
import { formatPath, type Node } from '../../explore/node.ts';
import { say } from '../../sources/say.ts';
import type { Json } from '../../../core/json.ts';
import { anything } from '../../explore/shapes.ts';
import { escapePointer } from '../../../core/json-pointer.ts';

/** Reports nodes without any usable control, or without any view. */
export const walkStuck = flowRule('walk/stuck', 'E', (linted, subject) => [
  ...stuck(linted, subject),
  ...blank(linted),
]);

function stuck({ flow, file, toSourcePointer, exploration }: LintedFlow, { screens }: Subject): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const node of exploration.nodes) {
    const state = flow.states[node.state];
    const ui = screens.get(state?.screen ?? '')?.ui;
    if (!state || !ui || !node.open || node.rough || state.block !== undefined || state.after) continue;
    const ways = listParts(ui).filter(({ leads }) => leads);
    const assignment = node.assignment.enterRoots([['form', anything]]);
    const notice = ui.notices?.[node.notice?.name ?? ''];
    if (ways.length === 0 || found.has(node.state) || notice?.link) continue; // a screen without controls has to be "final"
    if (ways.some(({ visible }) => decide(visible, assignment) !== false)) continue;
    found.set(node.state, {
      file,
      pointer: toSourcePointer(`/states/${escapePointer(node.state)}`),
      message: say`Nothing can be pressed in "${node.state}": all of it is hidden.`,
      hint: say`Leave a button or a link visible in each case.`,
      walk: formatPath(node),
    });
  }
  return [...found.values()];
}

function blank({ file, toSourcePointer, exploration }: LintedFlow): readonly Finding[] {
  const first = new Map<string, { node: Node; by: string }>();
  for (const one of exploration.blank) if (!first.has(one.node.state)) first.set(one.node.state, one);
  return [...first.values()].map(({ node, by }) => ({
    file,
    pointer: toSourcePointer(`/states/${escapePointer(node.state)}`),
    message: say`The walk stays in "${node.state}", which draws nothing.`,
    hint: say`Give each case a target or an address.`,
    walk: by === '' ? formatPath(node) : `${formatPath(node)} ${by}→`,
  }));
}

/** Reports visibility rules that are always or never true at the nodes that show the screen. */
export const walkPart = screenRule('walk/part', 'W', ({ id, ui, files }, { flows }) => {
  const file = files.ui;
  const ownRules = listParts(ui).flatMap(({ pointer, visible }) =>
    visible === undefined ? [] : [[pointer, visible] as const],
  );
  const ofFields = Object.entries(ui.visible ?? {}).map(([name, rule]) => [`/visible/${name}`, rule] as const);
  const rules = [...ownRules, ...ofFields];
  if (!file || rules.length === 0 || flows.some(({ exploration }) => exploration.capped)) return [];
  const worlds = flows.flatMap(({ flow, exploration }) =>
    exploration.nodes
      .filter(({ state, open }) => flow.states[state]?.screen === id && (open || flow.states[state].block))
      .map(({ assignment }) => assignment.enterRoots([['form', anything]])),
  );
  return rules.flatMap(([pointer, rule]: readonly [string, Json]) => {
    const [first, ...others] = worlds;
    const only = first && decide(rule, first);
    if (typeof only !== 'boolean' || others.some((assignment) => decide(rule, assignment) !== only)) return [];
    return {
      file,
      pointer: pointer.startsWith('/visible') ? pointer : `${pointer}/visible`,
      message: only ? say`This rule always holds.` : say`This part is never shown.`,
      hint: only ? say`Remove "visible".` : say`Mend the rule, or what assigns its variable, or remove the part.`,
      ...(only ? { fix: [{ file: file.path, pointer: `${pointer}/visible` }] } : {}),
    };
  });
});

/** Reports texts that are drawn while one of their variables is empty. */
export const walkEmpty = flowRule('walk/empty', 'W', ({ flow, exploration }, { screens }) => {
  const found = new Map<string, Finding>();
  for (const node of exploration.nodes) {
    const { screen: id = '', block } = flow.states[node.state] ?? {};
    const screen = screens.get(id);
    if (!screen?.files.ui || !node.open || node.rough) continue;
    const drawn =
      block === undefined
        ? listParts(screen.ui).filter(({ visible }) => decide(visible, node.assignment) === true)
        : [];
    const notice = node.notice ? listNoticeTexts(screen.ui, node.notice.name) : [];
    for (const [pointer, text] of [...drawn.flatMap(({ texts }) => texts), ...notice])
      for (const name of placeholders(text)) {
        const value = flow.context?.[name] ? node.assignment.at(`context.${name}`) : null;
        const key = `${id} ${pointer} ${name}`;
        if (!value || !('constant' in value) || isTrue(value.constant) || value.constant === 0 || found.has(key))
          continue;
        found.set(key, {
          file: screen.files.ui,
          pointer,
          message: say`"{${name}}" is empty when this text is drawn.`,
          hint: say`Assign "${name}" before, or give the text "visible": { "var": "context.${name}" }.`,
          walk: `${flow.id}: ${formatPath(node)}`,
        });
      }
  }
  return [...found.values()];
});
