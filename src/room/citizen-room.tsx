import { useEffect, useRef, type ReactNode } from 'react';
import './room.css';
import { Controls } from './controls.tsx';
import { DeviceCheck } from './device-check.tsx';
import { closeDevices } from './devices.ts';
import { Picture } from './picture.tsx';
import { isEnded } from './room.ts';
import { StillRequest } from './still-request.tsx';
import { decisionText, type SayRoom } from './texts.ts';
import { useRoomState } from './use-room-state.ts';
import { useSeat, type Seated, type SeatOptions } from './use-seat.ts';

/** What the citizen's side of a room needs of its page. */
export interface CitizenRoomProps extends Omit<SeatOptions, 'side'> {
  readonly t: SayRoom;
  /** Sends a picture that was agreed to, or that the citizen does not agree (null); whether it was taken. */
  readonly onStill: (client: string, id: string, picture: string | null) => Promise<boolean>;
  /** The ways on from where a call is over or decided, by the state of the call; empty: none is known. */
  readonly ways: (callState: string) => ReactNode;
}

/** The citizen's side of the room: the devices first, then the call, and what became of it. */
export function CitizenRoom({ t, onStill, ways, ...options }: CitizenRoomProps) {
  const { seated, left, enter, leave, again } = useSeat({ ...options, side: 'citizen' });
  if (seated !== null)
    return (
      <InRoom
        key={seated.room.client}
        {...seated}
        t={t}
        onStill={onStill}
        ways={ways}
        onLeave={leave}
        onAgain={again}
        onEnd={() => options.onInside(false)}
      />
    );
  return (
    <section className="screen room-page" aria-labelledby="room-title">
      <Title text={t('title')} focused={left} />
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
}

interface InRoomProps extends Seated, Pick<CitizenRoomProps, 't' | 'onStill' | 'ways'> {
  readonly onLeave: () => void;
  readonly onAgain: () => Promise<void>;
  readonly onEnd: () => void;
}

function InRoom({ room, own, t, onStill, ways, onLeave, onAgain, onEnd }: InRoomProps) {
  const { phase, callState, picture, asked } = useRoomState(room);
  const video = useRef<HTMLVideoElement>(null);
  const ended = isEnded(phase);
  const end = useRef(onEnd);
  useEffect(() => {
    if (!ended) return;
    closeDevices(own);
    end.current();
  }, [ended, own]);
  const decision = decisionText(callState);
  return (
    <section className="screen room-page" aria-labelledby="room-title" data-phase={phase}>
      <Title text={t('callTitle')} focused />
      <div role="status" className="room-status">
        {phase !== 'over' && <p>{t(isEnded(phase) ? `end.${phase}` : `phase.${phase}`)}</p>}
        {decision !== undefined && (
          <div
            className="notice"
            data-intent={decision === 'state.user' || decision === 'state.done' ? 'success' : 'info'}
          >
            <p>{t(decision)}</p>
          </div>
        )}
      </div>
      {(decision !== undefined || phase === 'closed' || phase === 'unknown') && (
        <div className="screen-actions room-ways">{ways(callState)}</div>
      )}
      {phase === 'taken' && (
        <div className="screen-actions">
          <button type="button" className="button button-primary" onClick={() => void onAgain()}>
            {t('end.taken.back')}
          </button>
        </div>
      )}
      {!ended && (
        <>
          <div className="room-pictures" data-asked={asked ? true : undefined}>
            <Picture stream={picture} label={t('agentPicture')} />
            <Picture stream={own} label={t('own')} own video={video} />
          </div>
          <StillRequest asked={asked} video={video} t={t} onAnswer={(id, still) => onStill(room.client, id, still)} />
          <Controls room={room} own={own} t={t} onLeave={onLeave} />
        </>
      )}
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
