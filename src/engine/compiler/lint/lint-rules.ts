import type { LintRule } from './lint-rule.ts';
import { redirectLoopLintRule } from './rules/circles.ts';
import { stateSpaceLintRules } from './rules/state-space.ts';
import { operationErrorLintRule } from './rules/operation-errors.ts';
import { operationAccessLintRule, operationLintRules } from './rules/operations.ts';
import { navigationLintRules } from './rules/navigation.ts';
import { droppedFieldLintRules } from './rules/dropped-fields.ts';
import { variableLintRules } from './rules/flow-variables.ts';
import { uiFieldLintRules } from './rules/ui-fields.ts';
import { repeatedTextLintRules } from './rules/repeated-texts.ts';
import { fieldControlLintRules } from './rules/field-controls.ts';
import { constantRuleLintRules } from './rules/constant-rules.ts';
import { dateAndPatternLintRules } from './rules/dates-and-patterns.ts';
import { dataPrefill } from './rules/prefill.ts';
import { dataLiteral } from './rules/literal-paths.ts';
import { unreadCarriedValues } from './rules/carried-values.ts';
import { ruleParameterLintRule } from './rules/rule-parameters.ts';
import { comparisonLintRules } from './rules/comparisons.ts';
import { textContentLintRules } from './rules/texts/text-content.ts';
import { spellingLintRules } from './rules/texts/spelling.ts';
import { untranslatedLintRule } from './rules/texts/untranslated.ts';
import { exchangedTranslationsLintRule } from './rules/texts/exchanged-translations.ts';
import { messageLintRules } from './rules/texts/messages.ts';

/** Rules that find wrong values, with which an exploration would report further problems. Flows with such a finding are not explored. */
export const misleadingRules: readonly string[] = [dataLiteral.id, 'operation/result'];

/** Rules that explore flows. All of them are local. */
export const lintRulesWithExploration: readonly LintRule[] = [...stateSpaceLintRules, operationAccessLintRule];

/** Lint rules that do not explore flows. Suppressions refer to the ids, so the meaning of an id must never change. */
export const lintRulesWithoutExploration: readonly LintRule[] = [
  redirectLoopLintRule,
  ...operationLintRules,
  operationErrorLintRule,
  ...navigationLintRules,
  ...variableLintRules,
  ...droppedFieldLintRules,
  ...uiFieldLintRules,
  ...repeatedTextLintRules,
  ...fieldControlLintRules,
  ...constantRuleLintRules,
  ...dateAndPatternLintRules,
  ...comparisonLintRules,
  ruleParameterLintRule,
  dataPrefill,
  dataLiteral,
  unreadCarriedValues,
  ...textContentLintRules,
  untranslatedLintRule,
  ...spellingLintRules,
  exchangedTranslationsLintRule,
  ...messageLintRules,
];
