import { useState, type ReactNode, type SyntheticEvent } from 'react';

/** A control whose text may be typed and pasted, but not taken along: copying, cutting and dragging are prevented, and told until it is left. */
export function CopyGuard({ text, children }: { text: string; children: ReactNode }) {
  const [times, setTimes] = useState(0);
  const refuse = (event: SyntheticEvent) => {
    event.preventDefault();
    setTimes(times + 1);
  };
  return (
    <div onCopy={refuse} onCut={refuse} onDragStart={refuse} onBlur={() => setTimes(0)}>
      {children}
      <p role="status" className="form-help">
        {times > 0 && <span key={times}>{text}</span>}
      </p>
    </div>
  );
}
