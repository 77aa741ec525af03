import type { Json } from '../../../core/json.ts';
import { listPathsReadByLogic } from '../../../core/json-logic.ts';
import { listFlowExpressions } from '../../flow/flow-queries.ts';
import { explain, suggestSimilarName } from '../../sources/localized-text.ts';
import { createDefinitionsLintRule, createFindingAt } from '../lint-rule.ts';

/** Reports a value that a state carries to other flows, and that no flow or screen reads. */
export const unreadCarriedValues = createDefinitionsLintRule('data/unread', 'W', ({ flows, screens }) => {
  const rules = [
    ...flows.flatMap(({ flow }) => listFlowExpressions(flow)),
    ...[...screens.values()].map(({ ui }) => ui as unknown as Json), // cast: an interface is not assignable to `Json`
  ];
  const paths = rules.flatMap(listPathsReadByLogic).filter((path) => /^carried(?:\.|$)/.test(path));
  const read = new Set(paths.map((path) => path.split('.')[1] ?? ''));
  if (read.has('')) return [];
  return flows.flatMap(({ flow, locate }) =>
    Object.entries(flow.states).flatMap(([state, { carry = {} }]) =>
      Object.keys(carry)
        .filter((name) => !read.has(name))
        .map((name) =>
          createFindingAt(locate('states', state, 'carry', name))(explain`Nothing reads "${`carried.${name}`}".
            ${suggestSimilarName(name, read)}Write a name that a flow reads, or remove it.`),
        ),
    ),
  );
});
