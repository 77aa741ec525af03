import type { LintRule } from './rule.ts';
import { operationAccess, operationError, operationResult, operationInput } from './rules/operations.ts';
import { dataAddress, navLeave, navStep, eventBlock, eventSilent, eventTwice } from './rules/navigation.ts';
import { dataUnsaved, dataAssigned, dataUnread, dataUnset, dataTwice, dataFact } from './rules/data-variables.ts';
import { ruleFormat, rulePast, ruleDate, ruleSlow, rulePattern } from './rules/rule-dates.ts';
import { walkOutcome, walkBack, walkCircle, walkNotice } from './rules/walk-paths.ts';
import { ruleAbsent, ruleConstant, ruleDead } from './rules/rule-constant.ts';
import { ruleDraw, ruleTyping } from './rules/field-controls.ts';
import { dataDropped } from './rules/data-dropped.ts';
import { ruleChoice } from './rules/rule-choice.ts';
import { uiCircle, uiOptional, uiSecret, uiClear, uiHidden, uiUnused } from './rules/ui-fields.ts';
import { uiSteps, uiTwice } from './rules/ui-twice.ts';
import { textBraces, textLimit, textPair, textQuotes, textMarkup, textSecret } from './rules/texts/text-content.ts';
import { textAgain, textIntent, textButton, textLink } from './rules/texts/targets.ts';
import { textMessage, textPlaceholder, textNumber } from './rules/texts/message.ts';
import { textExchanged, textSame, textTyped } from './rules/texts/translation.ts';
import { textWording, textSpelling } from './rules/texts/spelling.ts';
import { uiButtons, uiConsent, uiConsentLink } from './rules/consent-and-buttons.ts';
import { uiAutocomplete, uiChoices } from './rules/field-choices.ts';
import {
  walkBranch,
  walkCap,
  walkState,
  walkEntry,
  walkEmpty,
  walkConstantVisibility,
  walkStuck,
} from './rules/walk-screens.ts';

/** All lint rules. Suppressions refer to their ids, so an id must never change its meaning. */
export const rules: readonly LintRule[] = [
  walkState,
  walkBranch,
  walkCircle,
  walkStuck,
  walkEntry,
  walkNotice,
  walkEmpty,
  walkConstantVisibility,
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
