import { useCallback, useMemo } from 'react';
import type { ResolveEventLabel } from '../../../engine/map/flow-layout.ts';
import { FlowMap } from '../../map/flow-map.tsx';
import { StateDescriptions } from '../../map/flows-page.tsx';
import { t } from '../../texts.ts';
import { TransitionTargetEditForm } from '../edits/element-edit-forms.tsx';
import { listFlowRemovals } from '../edits/flow-removals.ts';
import { RemovalForm } from '../edits/confirmed-edit-form.tsx';
import { NewEventForm, NewErrorBranchForm } from '../tasks/new-event-form.tsx';
import { ReorderForm } from '../tasks/reorder-form.tsx';
import { listReorderableStepLists } from '../tasks/reorderable-flow-lists.ts';
import { listFlowGuards } from '../tasks/editable-rules.ts';
import { RuleEditor } from '../tasks/condition-form.tsx';
import { NewStepForm } from '../tasks/new-step-form.tsx';
import { TaskBar, usePanelTask } from '../form-controls.tsx';
import { createFlowLabelFormatter, resolveScreenTitle } from '../titles.ts';
import { useStudio } from '../use-studio.ts';

interface FlowPanelProps {
  readonly flow: string;
  readonly selected: string | undefined;
  readonly visited: readonly string[];
}

export function FlowPanel({ flow, selected, visited }: FlowPanelProps) {
  const { set, referenceData } = useStudio();
  const { task, setTask, close, finish } = usePanelTask<
    'step' | 'event' | 'error' | 'rules' | 'order' | 'edit' | 'remove'
  >((state) => `${flow}.${state}`);
  const shown = set.flows[flow];
  const orders = listReorderableStepLists(set, referenceData, flow);
  const guards = listFlowGuards(set, referenceData, flow);
  const title = (screen: string): string => resolveScreenTitle(set, screen);
  const names = useMemo(() => createFlowLabelFormatter(set, flow), [set, flow]);
  const resolveEvent = useCallback<ResolveEventLabel>(
    (state, event) => {
      const text = names.formatEvent(state, event);
      return text === event ? undefined : text;
    },
    [names],
  );
  if (!shown) return null;
  return (
    <>
      <TaskBar
        tasks={[
          ['step', t('addStep')],
          ['event', t('addEvent')],
          ['error', t('addError')],
          ['rules', guards.length > 0 && t('ruleTask')],
          ['order', orders.length > 0 && t('order')],
          ['edit', t('editBranch')],
          ['remove', t('remove')],
        ]}
        onTask={setTask}
      />
      {task === 'edit' && <TransitionTargetEditForm flow={flow} onDone={close} />}
      {task === 'remove' && <RemovalForm removals={listFlowRemovals(set, referenceData, flow)} onDone={close} />}
      {task === 'step' && <NewStepForm flow={flow} onDone={finish} />}
      {task === 'event' && <NewEventForm flow={flow} onDone={finish} />}
      {task === 'error' && <NewErrorBranchForm flow={flow} onDone={finish} />}
      {task === 'order' && <ReorderForm orders={orders} onDone={close} />}
      {task === 'rules' && <RuleEditor rules={guards} onDone={close} />}
      <FlowMap flow={shown} resolveTitle={title} resolveEvent={resolveEvent} selected={selected} walked={visited} />
      <StateDescriptions flow={shown} resolveTitle={title} descriptions={set.descriptions[flow]} />
    </>
  );
}
