import { useEffect, useRef, useState } from 'react';
import type { Language } from '../../../contract/portal-config.ts';
import { devAddresses, type DrawNews, type DrawOrder } from '../../dev-data.ts';
import { t } from '../../texts.ts';
import { hear, tell } from '../../walk/walk-messages.ts';

interface DrawnFrameProps {
  readonly screen: string;
  readonly lang: Language;
  /** In pixels. */
  readonly width: string;
  /** Null until it is known. */
  readonly order: DrawOrder | null;
  readonly title?: string;
}

/** A frame that stays open and draws one compiled screen after the other. */
export function DrawnFrame({ screen, lang, width, order, title = t('viewOf', { name: screen }) }: DrawnFrameProps) {
  const [ready, setReady] = useState(0);
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(
    () =>
      hear<DrawNews>(
        () => frame.current?.contentWindow,
        () => setReady((before) => before + 1),
      ),
    [],
  );
  const asked = JSON.stringify(order);
  useEffect(() => {
    const now = JSON.parse(asked) as DrawOrder | null; // written above
    const to = frame.current?.contentWindow;
    if (ready > 0 && now && to) tell(to, now);
  }, [ready, asked]);
  return (
    <div className="studio-frame" tabIndex={0} role="group" aria-label={title}>
      <iframe
        ref={frame}
        src={`${devAddresses.preview}?${new URLSearchParams({ screen, lang })}`}
        width={width}
        title={title}
      />
    </div>
  );
}
