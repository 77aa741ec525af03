import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { ScreenNotice } from '../../core/flow-and-screen-types.ts';
import { useEngine } from '../engine-context.ts';

interface NoticeBoxProps {
  readonly notice: ScreenNotice;
  readonly children: ReactNode;
  readonly onDismiss: () => void;
}

/** Time for which the live region stays empty, in milliseconds. Screen readers do not announce a region that is inserted together with its text. */
const emptyRegionMs = 150;

/** Errors and warnings take the focus and stay. A success disappears after some seconds, except while it is hovered or focused. */
export function NoticeBox({ notice, children, onDismiss }: NoticeBoxProps) {
  const engine = useEngine();
  const box = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState(false);
  const { intent } = notice;
  const isUrgent = intent === 'error' || intent === 'warning';
  const [isFilled, setFilled] = useState(isUrgent);
  const dismiss = useRef(onDismiss);
  useEffect(() => void (dismiss.current = onDismiss));
  useEffect(() => {
    if (isUrgent) box.current?.focus();
    const timer = setTimeout(() => setFilled(true), isUrgent ? 0 : emptyRegionMs);
    return () => clearTimeout(timer);
  }, [notice, isUrgent]);
  useEffect(() => {
    if (isFilled && !isUrgent) box.current?.scrollIntoView({ block: 'nearest' });
  }, [isFilled, isUrgent]);
  useEffect(() => {
    if (intent !== 'success' || held) return;
    const timer = setTimeout(() => dismiss.current(), engine.snackbarMs);
    return () => clearTimeout(timer);
  }, [notice, intent, held, engine]);
  const hold = {
    onPointerEnter: () => setHeld(true),
    onPointerLeave: () => setHeld(false),
    onFocus: () => setHeld(true),
    onBlur: () => setHeld(false),
  };
  return (
    <div
      ref={box}
      className={intent === 'success' ? 'notice notice-snackbar' : 'notice'}
      data-intent={intent}
      role={intent === 'error' ? 'alert' : 'status'}
      tabIndex={-1}
      {...hold}
    >
      {isFilled && (
        <>
          <p>{children}</p>
          <button type="button" className="notice-dismiss" aria-label={engine.t('dismiss')} onClick={onDismiss}>
            ×
          </button>
        </>
      )}
    </div>
  );
}
