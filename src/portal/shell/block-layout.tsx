import type { ReactNode } from 'react';
import { fillPlaceholders, preventLineBreaksInProse } from '../../engine/core/messages.ts';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import { NoticeBox } from '../../engine/react/flow/notice-box.tsx';
import { useFlowState } from '../navigation/use-flow-runner.ts';

interface BlockLayoutProps {
  /** Id of the heading, unique on the page. */
  readonly id: string;
  readonly title: string;
  readonly runner?: FlowRunner;
  readonly className?: string;
  readonly children: ReactNode;
}

export function BlockLayout({ id, title, runner, className = 'screen', children }: BlockLayoutProps) {
  return (
    <section className={className} aria-labelledby={id}>
      <h1 id={id} tabIndex={-1}>
        {title}
      </h1>
      {runner && <FlowNotice runner={runner} />}
      {children}
    </section>
  );
}

export function FlowNotice({ runner }: { runner: FlowRunner }) {
  const state = useFlowState(runner);
  if (!state?.notice) return null;
  const { notice, context, view, viewBelowModal } = state;
  if (viewBelowModal !== null && view?.state.block === undefined) return null; // shows no notice here, because the dialog above the block shows it
  return (
    <NoticeBox notice={notice} onDismiss={() => runner.dismiss()}>
      {preventLineBreaksInProse(fillPlaceholders(notice.text, context))}
    </NoticeBox>
  );
}

interface ActionButtonProps {
  readonly text: string;
  readonly look?: 'primary' | 'quiet' | 'small' | 'danger';
  /** Accessible name, if the visible text is not sufficient. */
  readonly label?: string;
  readonly describedBy?: string;
  readonly busy?: boolean;
  /** Keeps the button focusable, so that screen readers find `describedBy`. */
  readonly disabled?: boolean;
  readonly onAct: () => void;
}

/** Button of a block. Keeps the focus while the flow is busy. */
export function ActionButton({
  text,
  look,
  label,
  describedBy,
  busy = false,
  disabled = false,
  onAct,
}: ActionButtonProps) {
  return (
    <button
      type="button"
      className={look ? `button button-${look}` : 'button'}
      aria-label={label}
      aria-describedby={describedBy}
      aria-disabled={busy || disabled || undefined}
      onClick={disabled ? undefined : onAct}
    >
      {text}
    </button>
  );
}
