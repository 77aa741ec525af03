import { useState } from 'react';
import './room.css';
import { DeviceCheck } from './device-check.tsx';
import { Stage } from './stage.tsx';
import { Stills } from './stills.tsx';
import type { SayRoom } from './texts.ts';
import { useSeat, type SeatOptions } from './use-seat.ts';

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
  const seat = useSeat({ ...options, side: 'agent' });
  const [failed, setFailed] = useState(false);
  const { seated, left, enter } = seat;
  if (seated === null)
    return (
      <div className="room-desk">
        {left && <p role="status">{t('end.left')}</p>}
        <DeviceCheck t={t} onEnter={enter} />
      </div>
    );
  const { room, phase, stills } = seated;
  return (
    <div key={room.client} className="room-desk" data-phase={phase}>
      <p role="status">{failed ? t('desk.failed') : t(`desk.${phase}`)}</p>
      <Stage seat={seat} t={t} across={t('citizenPicture')}>
        <div className="room-controls">
          {(['documento', 'cara'] as const).map((kind) => (
            <button
              key={kind}
              type="button"
              className="button"
              aria-disabled={phase !== 'talking' || undefined}
              onClick={() => phase === 'talking' && void onAsk(room.client, kind).then((taken) => setFailed(!taken))}
            >
              {t(`desk.ask.${kind}`)}
            </button>
          ))}
        </div>
      </Stage>
      <Stills stills={stills} t={t} onLook={onLook} />
    </div>
  );
}
