import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Notice } from '../../core/definition.ts';
import { useEngine } from '../engine-context.ts';

interface NoticeBoxProps {
  readonly notice: Notice;
  readonly children: ReactNode;
  readonly onDismiss: () => void;
}

/**
 * A notice of a flow. Errors and warnings take the focus and stay. Others are said by the status region of the page, since one that comes
 * with its text is often not heard. A success is a snackbar: it leaves by itself, but not while somebody points at it or has the focus in it.
 */
export function NoticeBox({ notice, children, onDismiss }: NoticeBoxProps) {
  const engine = useEngine();
  const box = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState(false);
  const words = useRef<HTMLParagraphElement>(null);
  const { intent } = notice;
  const urgent = intent === 'error' || intent === 'warning';
  const dismiss = useRef(onDismiss);
  useEffect(() => void (dismiss.current = onDismiss));
  useEffect(() => {
    if (urgent) box.current?.focus();
    else return engine.say(words.current?.textContent ?? '');
  }, [notice, urgent, engine]);
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
      role={urgent ? (intent === 'error' ? 'alert' : 'status') : undefined}
      tabIndex={-1}
      {...hold}
    >
      <p ref={words}>{children}</p>
      <button type="button" className="notice-dismiss" aria-label={engine.t('dismiss')} onClick={onDismiss}>
        ×
      </button>
    </div>
  );
}
