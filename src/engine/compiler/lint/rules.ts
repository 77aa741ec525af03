import type { LintRule } from './lint-rule.ts';
import { redirectLoops, explorationRules } from './rules/exploration.ts';
import { operationAccess, operationsRules } from './rules/operations.ts';
import { navigationRules } from './rules/navigation.ts';
import { dataVariablesRules } from './rules/data-variables.ts';
import { uiFieldsRules } from './rules/ui-fields.ts';
import { uiTwiceRules } from './rules/repeated-texts.ts';
import { fieldControlsRules } from './rules/field-controls.ts';
import { ruleConstantRules } from './rules/rule-constant.ts';
import { ruleDatesRules } from './rules/rule-dates.ts';
import { ruleChoiceRules } from './rules/never-equal.ts';
import { textContentRules } from './rules/texts/text-content.ts';
import { spellingRules } from './rules/texts/spelling.ts';
import { messageRules } from './rules/texts/message.ts';

/** Rules that explore flows. Their findings in a flow depend only on that flow, the flows that share its screens, and their screens. */
export const exploringRules: readonly LintRule[] = [...explorationRules, operationAccess];

/** Lint rules that do not explore flows. Suppressions refer to the ids, so the meaning of an id must never change. */
export const rules: readonly LintRule[] = [
  redirectLoops,
  ...operationsRules,
  ...navigationRules,
  ...dataVariablesRules,
  ...uiFieldsRules,
  ...uiTwiceRules,
  ...fieldControlsRules,
  ...ruleConstantRules,
  ...ruleDatesRules,
  ...ruleChoiceRules,
  ...textContentRules,
  ...spellingRules,
  ...messageRules,
];
