import { useState } from 'react';
import type { SayRoom } from './texts.ts';
import type { RoomEvent } from './wire.ts';

interface StillsProps {
  readonly stills: NonNullable<RoomEvent['fotos']>;
  readonly t: SayRoom;
  readonly onLook: (id: string) => Promise<string | null>;
}

/** Photos that the agent has requested. A photo is loaded when it is opened and discarded when it is closed. */
export function Stills({ stills, t, onLook }: StillsProps) {
  const [open, setOpen] = useState<{ readonly id: string; readonly picture: string } | null>(null);
  const [failed, setFailed] = useState(false);
  if (stills.length === 0) return null;
  const look = async (id: string): Promise<void> => {
    if (open?.id === id) return setOpen(null);
    const picture = await onLook(id);
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
                onClick={() => void look(id)}
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
