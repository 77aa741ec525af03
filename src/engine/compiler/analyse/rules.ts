import type { AnalysisRule } from './finding.ts';
import { operationAccess } from './rules/operation-access.ts';
import { operationError } from './rules/operation-error.ts';
import { operationInput } from './rules/operation-input.ts';
import { operationResult } from './rules/operation-result.ts';
import { dataAddress } from './rules/data-address.ts';
import { dataUnsaved } from './rules/data-unsaved.ts';
import { dataAssigned, dataUnread, dataUnset } from './rules/data-variables.ts';
import { eventBlock } from './rules/event-block.ts';
import { navLeave } from './rules/nav-leave.ts';
import { ruleDraw } from './rules/rule-draw.ts';
import { ruleSlow } from './rules/rule-slow.ts';
import { ruleDead } from './rules/rule-dead.ts';
import { textAgain } from './rules/text-again.ts';
import { textPair } from './rules/text-pair.ts';
import { uiClear, uiHidden } from './rules/ui-fields.ts';
import { textWording } from './rules/text-wording.ts';
import { uiUnused } from './rules/ui-unused.ts';
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
export const rules: readonly AnalysisRule<Subject>[] = [
  walkState,
  walkBranch,
  walkCircle,
  walkStuck,
  walkEntry,
  walkNotice,
  walkEmpty,
  walkPart,
  walkCap,
  operationResult,
  operationInput,
  operationAccess,
  operationError,
  navLeave,
  dataUnread,
  dataAssigned,
  dataUnset,
  dataUnsaved,
  dataAddress,
  eventBlock,
  uiClear,
  uiHidden,
  uiUnused,
  ruleDead,
  ruleDraw,
  ruleSlow,
  textPair,
  textAgain,
  ...textWording,
];
