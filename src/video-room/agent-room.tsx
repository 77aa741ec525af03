import { useState } from 'react';
import './room.css';
import { DeviceCheck } from './device-check.tsx';
import { CallView } from './call-view.tsx';
import type { RoomTranslateFunction } from './room-texts.ts';
import { useRoomConnection, type RoomSeatOptions } from './use-room-connection.ts';
import type { RoomEvent } from './signaling-channel.ts';

interface AgentRoomProps extends Omit<RoomSeatOptions, 'side'> {
  readonly t: RoomTranslateFunction;
  /** Requests a photo from the citizen. Returns whether the request was accepted. */
  readonly onRequestStill: (client: string, kind: 'documento' | 'cara') => Promise<boolean>;
  /** Loads a photo in base64. Returns `null` if the photo has been deleted. The server logs each access. */
  readonly onLoadStill: (id: string) => Promise<string | null>;
}

export function AgentRoom({ t, onRequestStill, onLoadStill, ...options }: AgentRoomProps) {
  const seat = useRoomConnection({ ...options, side: 'agent' });
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
      <CallView seat={seat} t={t} across={t('citizenPicture')}>
        <div className="room-controls">
          {(['documento', 'cara'] as const).map((kind) => (
            <button
              key={kind}
              type="button"
              className="button"
              aria-disabled={phase !== 'talking' || undefined}
              onClick={() =>
                phase === 'talking' && void onRequestStill(room.client, kind).then((taken) => setFailed(!taken))
              }
            >
              {t(`desk.ask.${kind}`)}
            </button>
          ))}
        </div>
      </CallView>
      <Stills stills={stills} t={t} onLoadStill={onLoadStill} />
    </div>
  );
}

interface StillsProps extends Pick<AgentRoomProps, 't' | 'onLoadStill'> {
  readonly stills: NonNullable<RoomEvent['fotos']>;
}

/** List of the requested photos. A photo is loaded when the agent opens it, and discarded when the agent closes it. */
function Stills({ stills, t, onLoadStill }: StillsProps) {
  const [open, setOpen] = useState<{ readonly id: string; readonly picture: string } | null>(null);
  const [failed, setFailed] = useState(false);
  if (stills.length === 0) return null;
  const loadStill = async (id: string): Promise<void> => {
    if (open?.id === id) return setOpen(null);
    const picture = await onLoadStill(id);
    setFailed(picture === null);
    setOpen(picture === null ? null : { id, picture });
  };
  return (
    <>
      <p role="status">{failed && t('desk.still.gone')}</p>
      <ul className="room-stills">
        {stills.map(({ id, tipo, estado }) => (
          <li key={id}>
            {t(`desk.still.${tipo}`)}: {t(`desk.still.${estado}`)}{' '}
            {estado === 'tomada' && (
              <button
                type="button"
                className="button button-small"
                aria-expanded={open?.id === id}
                onClick={() => void loadStill(id)}
              >
                {t(open?.id === id ? 'desk.still.close' : 'desk.still.look')}
              </button>
            )}
            {open?.id === id && <img src={`data:image/jpeg;base64,${open.picture}`} alt={t(`desk.still.${tipo}`)} />}
          </li>
        ))}
      </ul>
    </>
  );
}
