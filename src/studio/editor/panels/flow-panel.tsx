import { Toolbar, ToolbarButton } from '@fluentui/react-components';
import { useState } from 'react';
import type { StudioFacts } from '../../dev-data.ts';
import { FlowMap } from '../../map/flow-map.tsx';
import { StateTexts } from '../../map/flows.tsx';
import { t } from '../../texts.ts';
import { TargetEditForm } from '../edits/edit-forms.tsx';
import { listFlowRemovals } from '../edits/flow-removals.ts';
import { RemoveForm } from '../edits/confirm-task.tsx';
import { EventForm, ErrorForm } from '../tasks/event-form.tsx';
import { OrderForm, listFlowOrders } from '../tasks/order-form.tsx';
import { listFlowGuards } from '../tasks/rule-places.ts';
import { RuleTask } from '../tasks/condition-form.tsx';
import { StepForm } from '../tasks/step-form.tsx';
import { useArrival } from '../controls.tsx';
import { resolveScreenTitle } from '../titles.ts';
import type { Studio } from '../use-studio.ts';

interface FlowPanelProps {
  readonly studio: Studio;
  readonly facts: StudioFacts;
  readonly flow: string;
  /** States visited in the current scenario, the current one last. */
  readonly walked: readonly string[];
}

export function FlowPanel({ studio, facts, flow, walked }: FlowPanelProps) {
  const [task, setTask] = useState<'step' | 'event' | 'error' | 'rules' | 'order' | 'edit' | 'remove'>();
  const shown = studio.set.flows[flow];
  const orders = listFlowOrders(studio.set, flow);
  const guards = listFlowGuards(studio.set, facts, flow);
  // Closing a task must not close another that was opened meanwhile.
  const close = (): void => setTask((now) => (now === task ? undefined : now));
  const arrive = useArrival(studio.set);
  const done = (state?: string): void => {
    close();
    if (state !== undefined) arrive(`${flow}.${state}`);
  };
  const title = (screen: string): string => resolveScreenTitle(studio.set, screen);
  if (!shown) return null;
  return (
    <>
      <Toolbar aria-label={t('tasksBar')} size="small">
        {(
          [
            ['step', 'addStep'],
            ['event', 'addEvent'],
            ['error', 'addError'],
            ...(guards.length > 0 ? [['rules', 'ruleTask'] as const] : []),
            ...(orders.length > 0 ? [['order', 'order'] as const] : []),
            ['edit', 'editBranch'],
            ['remove', 'remove'],
          ] as const
        ).map(([kind, text]) => (
          <ToolbarButton key={kind} onClick={() => setTask(kind)}>
            {t(text)}
          </ToolbarButton>
        ))}
      </Toolbar>
      {task === 'edit' && <TargetEditForm studio={studio} flow={flow} onDone={close} />}
      {task === 'remove' && (
        <RemoveForm studio={studio} removals={listFlowRemovals(studio.set, facts, flow)} onDone={close} />
      )}
      {task === 'step' && <StepForm studio={studio} flow={flow} onDone={done} />}
      {task === 'event' && <EventForm studio={studio} flow={flow} onDone={done} />}
      {task === 'error' && <ErrorForm studio={studio} facts={facts} flow={flow} onDone={done} />}
      {task === 'order' && <OrderForm studio={studio} orders={orders} onDone={close} />}
      {task === 'rules' && <RuleTask studio={studio} rules={guards} onDone={close} />}
      <FlowMap flow={shown} resolveTitle={title} walked={walked} />
      <StateTexts flow={shown} resolveTitle={title} descriptions={studio.set.descriptions[flow]} />
    </>
  );
}
