import type { LintRule, Subject } from './subject.ts';
import { operationAccess, operationError, operationResult } from './rules/operation-answers.ts';
import { operationInput } from './rules/operation-input.ts';
import { dataAddress, navLeave, navStep } from './rules/navigation.ts';
import { dataUnsaved, dataAssigned, dataUnread, dataUnset, dataTwice, dataFact } from './rules/data-variables.ts';
import { eventBlock, eventSilent, eventTwice } from './rules/events.ts';
import { ruleFormat, rulePast, ruleDate } from './rules/rule-dates.ts';
import { walkOutcome, walkBack, walkCircle, walkNotice } from './rules/walk-paths.ts';
import { ruleAbsent, ruleConstant, ruleDead } from './rules/rule-constant.ts';
import { ruleDraw } from './rules/rule-draw.ts';
import { ruleSlow } from './rules/rule-slow.ts';
import { dataDropped } from './rules/data-dropped.ts';
import { ruleChoice } from './rules/rule-choice.ts';
import { ruleTyping } from './rules/rule-typing.ts';
import { uiCircle, uiOptional, uiSecret, uiClear, uiHidden, uiUnused } from './rules/ui-fields.ts';
import { uiSteps } from './rules/ui-steps.ts';
import { rulePattern } from './rules/rule-pattern.ts';
import { textBraces, textLimit, textPair, textQuotes } from './rules/texts/marks.ts';
import { textAgain } from './rules/texts/again.ts';
import { textMessage, textPlaceholder } from './rules/texts/message.ts';
import { textNumber } from './rules/texts/number.ts';
import { textMarkup, textSecret } from './rules/texts/safe.ts';
import { textExchanged, textSame, textTyped } from './rules/texts/translation.ts';
import { textWording, textSpelling } from './rules/texts/spelling.ts';
import { textIntent, textButton, textLink } from './rules/texts/targets.ts';
import { uiButtons } from './rules/ui-buttons.ts';
import { uiAutocomplete } from './rules/ui-autocomplete.ts';
import { uiChoices } from './rules/ui-choices.ts';
import { uiConsent, uiConsentLink } from './rules/ui-consent.ts';
import { uiTwice } from './rules/ui-twice.ts';
import { walkBranch, walkCap, walkState } from './rules/walk-reach.ts';
import { walkEmpty, walkPart, walkStuck } from './rules/walk-screens.ts';
import { walkEntry } from './rules/walk-entry.ts';

/** All lint rules. Suppressions refer to their ids, so an id must never change its meaning. */
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
