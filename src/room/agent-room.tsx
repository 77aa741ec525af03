import { useEffect, useState } from 'react';
import './room.css';
import { Controls } from './controls.tsx';
import { DeviceCheck } from './device-check.tsx';
import { closeDevices } from './devices.ts';
import { Picture } from './picture.tsx';
import { isEnded } from './room.ts';
import { Stills } from './stills.tsx';
import { type SayRoom } from './texts.ts';
import { useRoomState } from './use-room-state.ts';
import { useSeat, type Seated, type SeatOptions } from './use-seat.ts';

/** What the agent's side of a room needs of the page of the call. */
export interface AgentRoomProps extends Omit<SeatOptions, 'side'> {
  readonly t: SayRoom;
  /** Asks the citizen for a picture; whether it was taken. */
  readonly onAsk: (client: string, kind: 'documento' | 'cara') => Promise<boolean>;
  /** Fetches a picture that was taken, in base64; null: there is none (any more). Each look is noted. */
  readonly onLook: (id: string) => Promise<string | null>;
}

/** The agent's side of the room, as a part of the page of a call. */
export function AgentRoom({ t, onAsk, onLook, ...options }: AgentRoomProps) {
  const { seated, left, enter, leave, again } = useSeat({ ...options, side: 'agent' });
  if (seated !== null)
    return (
      <InRoom
        key={seated.room.client}
        {...seated}
        t={t}
        onAsk={onAsk}
        onLook={onLook}
        onLeave={leave}
        onAgain={again}
      />
    );
  return (
    <div className="room-desk">
      {left && <p role="status">{t('end.left')}</p>}
      <DeviceCheck t={t} onEnter={enter} />
    </div>
  );
}

interface InRoomProps extends Seated, Pick<AgentRoomProps, 't' | 'onAsk' | 'onLook'> {
  readonly onLeave: () => void;
  readonly onAgain: () => Promise<void>;
}

function InRoom({ room, own, t, onAsk, onLook, onLeave, onAgain }: InRoomProps) {
  const { phase, picture, stills } = useRoomState(room);
  const [failed, setFailed] = useState(false);
  const ended = isEnded(phase);
  useEffect(() => {
    if (ended) closeDevices(own);
  }, [ended, own]);
  const ask = async (kind: 'documento' | 'cara'): Promise<void> => setFailed(!(await onAsk(room.client, kind)));
  return (
    <div className="room-desk" data-phase={phase}>
      <p role="status">{failed ? t('desk.failed') : t(`desk.${phase}`)}</p>
      {phase === 'taken' && (
        <button type="button" className="button" onClick={() => void onAgain()}>
          {t('end.taken.back')}
        </button>
      )}
      {!ended && (
        <>
          <div className="room-pictures">
            <Picture stream={picture} label={t('citizenPicture')} />
            <Picture stream={own} label={t('own')} own />
          </div>
          <Controls room={room} own={own} t={t} onLeave={onLeave} />
          <div className="room-controls">
            {(['documento', 'cara'] as const).map((kind) => (
              <button
                key={kind}
                type="button"
                className="button"
                aria-disabled={phase !== 'talking' || undefined}
                onClick={() => phase === 'talking' && void ask(kind)}
              >
                {t(`desk.ask.${kind}`)}
              </button>
            ))}
          </div>
        </>
      )}
      <Stills stills={stills} t={t} onLook={onLook} />
    </div>
  );
}
