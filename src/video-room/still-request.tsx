import { useEffect, useRef, useState, type RefObject } from 'react';
import { takeStill } from './still.ts';
import type { RoomText, SayRoom } from './texts.ts';
import type { RoomEvent } from './wire.ts';

interface StillRequestProps {
  /** `null` if no photo is requested. */
  readonly asked: RoomEvent['foto'] | null;
  /** Own video element, from which the photo is taken. */
  readonly video: RefObject<HTMLVideoElement | null>;
  readonly t: SayRoom;
  readonly onAnswer: (id: string, picture: string | null) => Promise<boolean>;
}

/** Request for a photo. Nothing is captured before the citizen agrees. */
export function StillRequest({ asked, video, t, onAnswer }: StillRequestProps) {
  const [said, setSaid] = useState<RoomText | null>(null);
  const [busy, setBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = asked?.id ?? null;
  useEffect(() => {
    if (id !== null) heading.current?.focus();
  }, [id]);
  const answer = async (agreed: boolean): Promise<void> => {
    if (asked === null || asked === undefined || busy) return;
    setBusy(true);
    const picture = agreed && video.current !== null ? await takeStill(video.current) : null;
    const taken = (!agreed || picture !== null) && (await onAnswer(asked.id, picture));
    setSaid(!taken ? 'still.failed' : agreed ? 'still.sent' : 'still.refused');
    setBusy(false);
  };
  return (
    <>
      {asked && (
        <section className="notice room-still" aria-labelledby="still-title">
          <div>
            <h2 id="still-title" ref={heading} tabIndex={-1}>
              {t(`still.${asked.tipo}`)}
            </h2>
            <p>{t(`still.${asked.tipo}.how`)}</p>
            <p>{t('still.why')}</p>
            <div className="screen-actions">
              <button
                type="button"
                className="button button-primary"
                aria-disabled={busy || undefined}
                onClick={() => void answer(true)}
              >
                {t('still.take')}
              </button>
              <button
                type="button"
                className="button"
                aria-disabled={busy || undefined}
                onClick={() => void answer(false)}
              >
                {t('still.refuse')}
              </button>
            </div>
          </div>
        </section>
      )}
      <p role="status">{said !== null && t(said)}</p>
    </>
  );
}
