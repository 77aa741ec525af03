import { Button } from '@fluentui/react-components';
import { useEffect, useRef, useState, type RefObject } from 'react';
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
  /** Where the frame is put, for who reads what it draws. */
  readonly frameRef: RefObject<HTMLIFrameElement | null>;
}

/** A frame that stays open and draws one compiled screen after the other. */
export function DrawnFrame({ screen, lang, width, order, frameRef }: DrawnFrameProps) {
  const title = t('viewOf', { name: screen });
  useDrawing(() => frameRef.current?.contentWindow ?? null, order);
  return (
    <div className="studio-frame" tabIndex={0} role="group" aria-label={title}>
      <iframe ref={frameRef} src={addressOf(screen, lang)} width={width} title={title} />
    </div>
  );
}

/** The window on a second screen; it stays open while other screens are chosen. */
let second: Window | null = null;

/** Opens a window that draws what the frame draws, e.g. on a second screen. */
export function SecondScreen({ screen, lang, order }: Pick<DrawnFrameProps, 'screen' | 'lang' | 'order'>) {
  const address = addressOf(screen, lang);
  useDrawing(() => (second?.closed === false ? second : null), order);
  useEffect(() => {
    if (second?.closed === false) second.location.replace(address);
  }, [address]);
  return (
    <Button
      onClick={() => {
        second = window.open(address, 'portal-vista', 'popup,width=1280,height=800');
      }}
    >
      {t('secondScreen')}
    </Button>
  );
}

/** Has a window draw, once it listens and whenever something else is to be drawn. */
function useDrawing(windowOf: () => Window | null, order: DrawOrder | null): void {
  const [ready, setReady] = useState(0);
  const target = useRef(windowOf);
  useEffect(
    () =>
      hear<DrawNews>(
        () => target.current(),
        () => setReady((before) => before + 1),
      ),
    [],
  );
  const asked = JSON.stringify(order);
  useEffect(() => {
    const now = JSON.parse(asked) as DrawOrder | null; // written above
    const to = target.current();
    if (now && to) tell(to, now);
  }, [ready, asked]);
}

function addressOf(screen: string, lang: Language): string {
  return `${devAddresses.preview}?${new URLSearchParams({ screen, lang })}`;
}
