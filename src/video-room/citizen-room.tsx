import { useEffect, useRef, type ReactNode } from 'react';
import './room.css';
import { DeviceCheck } from './device-check.tsx';
import { isEnded } from './room.ts';
import { Stage } from './stage.tsx';
import { StillRequest } from './still-request.tsx';
import { decisionText, type SayRoom } from './texts.ts';
import { useSeat, type SeatOptions } from './use-seat.ts';

/** What the citizen's side of a room needs of its page. */
export interface CitizenRoomProps extends Omit<SeatOptions, 'side'> {
  readonly t: SayRoom;
  /** A button led here, which has gone with its page: the focus goes to the heading. */
  readonly pressed: boolean;
  /** Sends a picture that was agreed to, or that the citizen does not agree (null); whether it was taken. */
  readonly onStill: (client: string, id: string, picture: string | null) => Promise<boolean>;
  /** The ways on from where a call is over or decided, by the state of the call; empty: none is known. */
  readonly ways: (callState: string) => ReactNode;
}

/** The citizen's side of the room: the devices first, then the call, and what became of it. */
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

/** The heading, which the focus goes to where the view changes under the citizen's hands. */
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
