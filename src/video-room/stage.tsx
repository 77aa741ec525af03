import type { ReactNode, RefObject } from 'react';
import { Controls } from './controls.tsx';
import { Picture } from './picture.tsx';
import { isEnded } from './room.ts';
import type { SayRoom } from './texts.ts';
import type { useSeat } from './use-seat.ts';

interface StageProps {
  readonly seat: ReturnType<typeof useSeat>;
  readonly t: SayRoom;
  readonly across: string;
  /** Own video element, from which photos are taken. */
  readonly video?: RefObject<HTMLVideoElement | null>;
  readonly children: ReactNode;
}

/** Both pictures and the controls. If another page took the seat, a button takes it back. */
export function Stage({ seat: { seated, leave, again }, t, across, video, children }: StageProps) {
  if (seated === null) return null;
  const { room, own, phase, picture, asked } = seated;
  if (phase === 'taken')
    return (
      <div className="screen-actions">
        <button type="button" className="button button-primary" onClick={() => void again()}>
          {t('end.taken.back')}
        </button>
      </div>
    );
  if (isEnded(phase)) return null;
  return (
    <div className="room-stage">
      <div className="room-pictures" data-asked={asked ? true : undefined}>
        <Picture stream={picture} label={across} />
        <Picture stream={own} label={t('own')} own video={video} />
      </div>
      <div className="room-side">
        {children}
        <Controls room={room} own={own} t={t} onLeave={leave} />
      </div>
    </div>
  );
}
