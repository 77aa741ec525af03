import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Notice } from '../../core/definition.ts';
import { useEngine } from '../engine-context.ts';

interface NoticeBoxProps {
  readonly notice: Notice;
  readonly children: ReactNode;
  readonly onDismiss: () => void;
}

/**
 * A notice of a flow. Errors and warnings take the focus and stay. A success is a snackbar: it leaves by itself, but not while
 * somebody points at it or has the focus in it.
 */
export function NoticeBox({ notice, children, onDismiss }: NoticeBoxProps) {
  const engine = useEngine();
  const box = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState(false);
  const { intent } = notice;
  const dismiss = useRef(onDismiss);
  useEffect(() => void (dismiss.current = onDismiss));
  useEffect(() => {
    if (intent === 'error' || intent === 'warning') box.current?.focus();
  }, [notice, intent]);
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
      <p>{children}</p>
      <button type="button" className="notice-dismiss" aria-label={engine.t('dismiss')} onClick={onDismiss}>
        ×
      </button>
    </div>
  );
}
