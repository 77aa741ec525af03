import { placeholders } from '../../../core/messages.ts';
import { eachFlow, type Finding, flowRule, reportAt, screenRule, setRule } from '../rule.ts';
import { listParts, listNoticeTexts } from '../../explore/screens.ts';
import { decide } from '../../explore/evaluate-rules.ts';
import { isTrue } from '../../explore/assignment.ts';
import { formatPath } from '../../explore/node.ts';
import { explain } from '../../sources/say.ts';
import type { Json } from '../../../core/json.ts';
import { anything } from '../../explore/shapes.ts';

const stuck = eachFlow(({ flow, locate, exploration }, { screens }) => {
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
    found.set(
      node.state,
      reportAt({ ...locate('states', node.state), walk: formatPath(node) })(explain`
        Nothing can be pressed in "${node.state}": all of it is hidden.
        Leave a button or a link visible in each case.`),
    );
  }
  return [...found.values()];
});

const blank = eachFlow(({ locate, exploration }) => {
  const first = new Map(exploration.blank.toReversed().map((one) => [one.node.state, one]));
  return exploration.blank.flatMap((one) => {
    const { node, by } = one;
    if (first.get(node.state) !== one) return [];
    const walk = by === '' ? formatPath(node) : `${formatPath(node)} ${by}→`;
    return reportAt({ ...locate('states', node.state), walk })(explain`
      The walk stays in "${node.state}", which draws nothing.
      Give each case a target or an address.`);
  });
});

/** Reports nodes without any usable control, or without any view. */
export const walkStuck = setRule('walk/stuck', 'E', stuck, blank);

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
    const place = { file, pointer: pointer.startsWith('/visible') ? pointer : `${pointer}/visible` };
    if (only)
      return reportAt({ ...place, fix: [{ file: file.path, pointer: `${pointer}/visible` }] })(explain`
        This rule always holds.
        Remove "visible".`);
    return reportAt(place)(explain`This part is never shown.
      Mend the rule, or what assigns its variable, or remove the part.`);
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
        found.set(
          key,
          reportAt({ file: screen.files.ui, pointer, walk: `${flow.id}: ${formatPath(node)}` })(explain`
            "{${name}}" is empty when this text is drawn.
            Assign "${name}" before, or give the text "visible": { "var": "context.${name}" }.`),
        );
      }
  }
  return [...found.values()];
});
