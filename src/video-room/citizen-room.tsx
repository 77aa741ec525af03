import { useEffect, useRef, type ReactNode } from 'react';
import './room.css';
import { DeviceCheck } from './device-check.tsx';
import { isEnded } from './room.ts';
import { Stage } from './stage.tsx';
import { StillRequest } from './still-request.tsx';
import { decisionText, type SayRoom } from './texts.ts';
import { useSeat, type SeatOptions } from './use-seat.ts';

export interface CitizenRoomProps extends Omit<SeatOptions, 'side'> {
  readonly t: SayRoom;
  /** Whether a button opened this page. That button is gone, so the heading takes the focus. */
  readonly pressed: boolean;
  /** Sends a photo, or `null` if the citizen declines. Returns whether it was accepted. */
  readonly onStill: (client: string, id: string, picture: string | null) => Promise<boolean>;
  /** Links to show after the end of a call, by its state. The state is empty if it is unknown. */
  readonly ways: (callState: string) => ReactNode;
}

export function CitizenRoom({ t, pressed, onStill, ways, ...options }: CitizenRoomProps) {
  const seat = useSeat({ ...options, side: 'citizen' });
  const video = useRef<HTMLVideoElement>(null);
  const { seated, left, enter } = seat;
  if (seated === null)
    return (
      <section className="screen room-page" aria-labelledby="room-title">
        <Title text={t('title')} focused={left || pressed} />
        {left ? (
          <p role="status">{t('end.left')}</p>
        ) : (
          <>
            <p className="screen-intro">{t('advice')}</p>
            <p className="screen-intro">{t('advice.private')}</p>
          </>
        )}
        <DeviceCheck t={t} onEnter={enter} />
      </section>
    );
  const { room, phase, callState, asked } = seated;
  const decision = decisionText(callState);
  const good = decision === 'state.user' || decision === 'state.done';
  return (
    <section key={room.client} className="screen room-page" aria-labelledby="room-title" data-phase={phase}>
      <Title text={t('callTitle')} focused />
      <div role="status" className="room-status">
        {phase !== 'over' && <p>{t(isEnded(phase) ? `end.${phase}` : `phase.${phase}`)}</p>}
        {decision !== undefined && (
          <div className="notice" data-intent={good ? 'success' : 'info'}>
            <p>{t(decision)}</p>
          </div>
        )}
      </div>
      {(decision !== undefined || phase === 'closed' || phase === 'unknown') && (
        <div className="screen-actions room-ways">{ways(callState)}</div>
      )}
      <Stage seat={seat} t={t} across={t('agentPicture')} video={video}>
        <StillRequest asked={asked} video={video} t={t} onAnswer={(id, still) => onStill(room.client, id, still)} />
      </Stage>
    </section>
  );
}

/** Heading that takes the focus after a change of the view. */
function Title({ text, focused }: { readonly text: string; readonly focused: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focused) heading.current?.focus();
  }, [focused]);
  return (
    <h1 id="room-title" ref={heading} tabIndex={-1}>
      {text}
    </h1>
  );
}
