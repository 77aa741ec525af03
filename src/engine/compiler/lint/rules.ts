import type { LintRule } from './finding.ts';
import { operationAccess } from './rules/operation-access.ts';
import { operationError } from './rules/operation-error.ts';
import { operationInput } from './rules/operation-input.ts';
import { operationResult } from './rules/operation-result.ts';
import { dataAddress } from './rules/data-address.ts';
import { dataUnsaved } from './rules/data-unsaved.ts';
import { dataAssigned, dataUnread, dataUnset } from './rules/data-variables.ts';
import { eventBlock } from './rules/event-block.ts';
import { navLeave } from './rules/nav-leave.ts';
import { dataTwice } from './rules/flows/data-twice.ts';
import { eventSilent } from './rules/flows/event-silent.ts';
import { eventTwice } from './rules/flows/event-twice.ts';
import { navStep } from './rules/flows/nav-step.ts';
import { ruleFormat } from './rules/flows/rule-format.ts';
import { walkOutcome } from './rules/flows/walk-outcome.ts';
import { ruleAbsent } from './rules/fields/rule-absent.ts';
import { ruleDraw } from './rules/rule-draw.ts';
import { ruleSlow } from './rules/rule-slow.ts';
import { dataFact } from './rules/data-fact.ts';
import { dataDropped } from './rules/data-dropped.ts';
import { ruleChoice } from './rules/rule-choice.ts';
import { rulePast } from './rules/fields/rule-past.ts';
import { ruleTyping } from './rules/fields/rule-typing.ts';
import { uiCircle } from './rules/fields/ui-circle.ts';
import { uiSteps } from './rules/fields/ui-steps.ts';
import { ruleConstant } from './rules/rule-constant.ts';
import { rulePattern } from './rules/rule-pattern.ts';
import { ruleDead } from './rules/rule-dead.ts';
import { textBraces } from './rules/texts/braces.ts';
import { textLimit } from './rules/texts/limit.ts';
import { textAgain } from './rules/texts/again.ts';
import { textMessage, textPlaceholder } from './rules/texts/message.ts';
import { textNumber } from './rules/texts/number.ts';
import { textPair } from './rules/texts/pair.ts';
import { textMarkup, textSecret } from './rules/texts/safe.ts';
import { textExchanged, textSame } from './rules/texts/translation.ts';
import { textWording } from './rules/texts/wording.ts';
import { ruleDate } from './rules/fields/rule-date.ts';
import { uiOptional } from './rules/fields/ui-optional.ts';
import { textIntent } from './rules/texts/intent.ts';
import { textButton } from './rules/texts/button.ts';
import { textLink } from './rules/texts/link.ts';
import { textSpelling } from './rules/texts/spelling.ts';
import { textTyped } from './rules/texts/typed.ts';
import { textQuotes } from './rules/texts/quotes.ts';
import { uiButtons } from './rules/ui-buttons.ts';
import { uiSecret } from './rules/fields/ui-secret.ts';
import { uiAutocomplete } from './rules/ui-autocomplete.ts';
import { uiChoices } from './rules/ui-choices.ts';
import { uiConsent, uiConsentLink } from './rules/ui-consent.ts';
import { uiTwice } from './rules/ui-twice.ts';
import { uiClear, uiHidden } from './rules/ui-fields.ts';
import { uiUnused } from './rules/ui-unused.ts';
import { walkBack } from './rules/walk/back.ts';
import { walkBranch } from './rules/walk/branch.ts';
import { walkCap } from './rules/walk/cap.ts';
import { walkCircle } from './rules/walk/circle.ts';
import { walkEmpty } from './rules/walk/empty.ts';
import { walkEntry } from './rules/walk/entry.ts';
import { walkNotice } from './rules/walk/notice.ts';
import { walkPart } from './rules/walk/part.ts';
import { walkState } from './rules/walk/state.ts';
import { walkStuck } from './rules/walk/stuck.ts';
import type { Subject } from './subject.ts';

/** Every rule of the analysis. An id never changes its meaning, since suppressions name it. */
export const rules: readonly LintRule<Subject>[] = [
  walkState,
  walkBranch,
  walkCircle,
  walkStuck,
  walkEntry,
  walkNotice,
  walkEmpty,
  walkPart,
  walkBack,
  walkOutcome,
  walkCap,
  operationResult,
  operationInput,
  operationAccess,
  operationError,
  navLeave,
  navStep,
  dataUnread,
  dataAssigned,
  dataUnset,
  dataUnsaved,
  dataAddress,
  dataDropped,
  dataFact,
  dataTwice,
  eventBlock,
  eventTwice,
  eventSilent,
  uiClear,
  uiHidden,
  uiUnused,
  uiTwice,
  uiConsent,
  uiConsentLink,
  uiAutocomplete,
  uiChoices,
  uiButtons,
  uiSecret,
  uiOptional,
  ruleDead,
  ruleDraw,
  ruleSlow,
  rulePattern,
  ruleChoice,
  ruleConstant,
  ruleAbsent,
  ruleTyping,
  rulePast,
  ruleFormat,
  ruleDate,
  uiCircle,
  uiSteps,
  textPair,
  textSame,
  textExchanged,
  textNumber,
  textMessage,
  textPlaceholder,
  textMarkup,
  textSecret,
  textBraces,
  textQuotes,
  textTyped,
  textSpelling,
  textLink,
  textButton,
  textIntent,
  textLimit,
  textAgain,
  ...textWording,
];
