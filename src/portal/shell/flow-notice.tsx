import { fill, unbroken } from '../../engine/core/messages.ts';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import { NoticeBox } from '../../engine/react/flow/notice-box.tsx';
import { useFlowState } from '../navigation/use-flow.ts';

export function FlowNotice({ runner }: { runner: FlowRunner }) {
  const state = useFlowState(runner);
  if (!state?.notice) return null;
  const { notice, context, view, below } = state;
  if (below !== null && view?.state.block === undefined) return null; // the dialog over the block shows it
  return (
    <NoticeBox notice={notice} onDismiss={() => runner.dismiss()}>
      {unbroken(fill(notice.text, context))}
    </NoticeBox>
  );
}
