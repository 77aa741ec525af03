import type { FlowRunner } from '../engine/react/flow-runner.ts';
import { usePortal } from './portal-context.ts';
import { useFlowState } from './use-flow.ts';

/** The notice of a flow on the page of a block, such as what the server refused. */
export function FlowNotice({ runner }: { runner: FlowRunner }) {
  const { say } = usePortal();
  const notice = useFlowState(runner)?.notice;
  if (!notice) return null;
  return (
    <div className="notice" data-intent={notice.intent} role={notice.intent === 'error' ? 'alert' : 'status'}>
      <p>{notice.text}</p>
      <button type="button" className="notice-dismiss" aria-label={say('dismiss')} onClick={() => runner.dismiss()}>×</button>
    </div>
  );
}
