import { useEffect, useRef, useState, type ReactNode } from 'react';
import './room.css';
import { Controls } from './controls.tsx';
import { DeviceCheck } from './device-check.tsx';
import { closeDevices, openDevices } from './devices.ts';
import { Picture } from './picture.tsx';
import { Room } from './room.ts';
import { StillRequest } from './still-request.tsx';
import { decisionText, type SayRoom } from './texts.ts';
import { useLeaveOnHide, useRoomState } from './use-room.ts';
import type { RoomWire } from './wire.ts';

/** What the citizen's side of a room needs of its page. */
export interface CitizenRoomProps {
  readonly wire: RoomWire;
  readonly t: SayRoom;
  /** The page was in the room before it was loaded anew: it goes in again by itself. */
  readonly inside: boolean;
  /** The page is in the room, or has left it. */
  readonly onInside: (inside: boolean) => void;
  /** Sends a picture that was agreed to, or that the citizen does not agree; whether it was taken. */
  readonly onStill: (client: string, id: string, picture: string | null) => Promise<boolean>;
  /** The ways on from where a call is over or decided, by the state of the call; empty: none is known. */
  readonly ways: (callState: string) => ReactNode;
}

/** The citizen's side of the room: the devices first, then the call, and what became of it. */
export function CitizenRoom(props: CitizenRoomProps) {
  const { wire, t, inside, onInside } = props;
  const [room, setRoom] = useState<{ readonly room: Room; readonly own: MediaStream } | null>(null);
  const [left, setLeft] = useState(false);
  const returning = useRef(inside);
  const enter = (own: MediaStream): void => {
    const entered = new Room(wire, 'citizen', own);
    setLeft(false);
    setRoom({ room: entered, own });
    onInside(true);
    void entered.enter();
  };
  const leave = (): void => {
    setLeft(true);
    setRoom(null);
    onInside(false);
  };
  useEffect(() => {
    if (!returning.current) return;
    returning.current = false;
    void openDevices().then((opened) => typeof opened === 'object' && enter(opened.stream)); // else the check says what is wrong
  });
  useEffect(
    () => () => {
      if (room === null) return;
      room.room.leave();
      closeDevices(room.own);
    },
    [room],
  );
  if (room !== null)
    return (
      <InRoom {...props} key={room.room.client} {...room} onLeave={leave} onAgain={() => enter(room.own.clone())} />
    );
  return (
    <section className="screen room-page" aria-labelledby="room-title">
      <Title text={t('title')} focused={left} />
      {left ? <p role="status">{t('end.left')}</p> : <p className="screen-intro">{t('advice')}</p>}
      {!left && <p className="screen-intro">{t('advice.private')}</p>}
      <DeviceCheck t={t} onEnter={enter} />
    </section>
  );
}

interface InRoomProps extends CitizenRoomProps {
  readonly room: Room;
  readonly own: MediaStream;
  readonly onLeave: () => void;
  readonly onAgain: () => void;
}

function InRoom({ room, own, t, onLeave, onAgain, onInside, onStill, ways }: InRoomProps) {
  const { phase, callState, picture, asked } = useRoomState(room);
  const video = useRef<HTMLVideoElement>(null);
  useLeaveOnHide(room);
  const ended = phase === 'over' || phase === 'taken' || phase === 'closed' || phase === 'unknown';
  useEffect(() => {
    if (ended) closeDevices(own);
  }, [ended, own]);
  const decision = decisionText(callState);
  useEffect(() => {
    if (ended) onInside(false);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when it ends
  }, [ended]);
  return (
    <section className="screen room-page" aria-labelledby="room-title" data-phase={phase}>
      <Title text={t('callTitle')} focused />
      <div role="status" className="room-status">
        <p>{ended && phase !== 'over' ? t(`end.${phase}`) : phase === 'over' ? '' : t(`phase.${phase}`)}</p>
        {decision !== undefined && (
          <div
            className="notice"
            data-intent={decision === 'state.user' || decision === 'state.done' ? 'success' : 'info'}
          >
            <p>{t(decision)}</p>
          </div>
        )}
      </div>
      {decision !== undefined && <div className="screen-actions">{ways(callState)}</div>}
      {phase === 'taken' && (
        <div className="screen-actions">
          <button type="button" className="button button-primary" onClick={onAgain}>
            {t('end.taken.back')}
          </button>
        </div>
      )}
      {!ended && (
        <>
          <div className="room-pictures" data-asked={asked !== null || undefined}>
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
