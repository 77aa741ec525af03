import { useEffect, useState } from 'react';
import { listDevices, openCamera } from './devices.ts';
import type { Room } from './room.ts';
import type { SayRoom } from './texts.ts';

interface ControlsProps {
  readonly room: Room;
  readonly own: MediaStream;
  readonly t: SayRoom;
  readonly onLeave: () => void;
}

export function Controls({ room, own, t, onLeave }: ControlsProps) {
  const [muted, setMuted] = useState(false);
  const [dark, setDark] = useState(false);
  const toggle = (tracks: readonly MediaStreamTrack[], off: boolean): void => {
    for (const track of tracks) track.enabled = !off;
  };
  return (
    <>
      <div className="room-controls" role="group" aria-label={t('controls')}>
        {own.getAudioTracks().length > 0 && (
          <button
            type="button"
            className="button"
            aria-pressed={muted}
            onClick={() => {
              toggle(own.getAudioTracks(), !muted);
              setMuted(!muted);
            }}
          >
            {t('mute')}
          </button>
        )}
        {own.getVideoTracks().length > 0 && (
          <>
            <button
              type="button"
              className="button"
              aria-pressed={dark}
              onClick={() => {
                toggle(own.getVideoTracks(), !dark);
                setDark(!dark);
              }}
            >
              {t('cameraOff')}
            </button>
            <TurnCamera room={room} own={own} t={t} dark={dark} />
          </>
        )}
        <button type="button" className="button room-leave" onClick={onLeave}>
          {t('leave')}
        </button>
      </div>
      <p role="status" className="room-silence">
        {[muted && t('muted'), dark && t('dark')].filter(Boolean).join(' ')}
      </p>
    </>
  );
}

/** Switches to the next camera. Phones have several. */
function TurnCamera({ room, own, t, dark }: Omit<ControlsProps, 'onLeave'> & { readonly dark: boolean }) {
  const [several, setSeveral] = useState(false);
  useEffect(() => {
    listDevices('videoinput').then(
      (cameras) => setSeveral(cameras.length > 1),
      () => undefined, // there is nothing to switch
    );
  }, []);
  const turn = async (): Promise<void> => {
    const cameras = await listDevices('videoinput');
    const [before] = own.getVideoTracks();
    const at = cameras.findIndex(({ deviceId }) => deviceId === before?.getSettings().deviceId);
    const next = cameras[(at + 1) % cameras.length];
    if (before === undefined || next === undefined || cameras.length < 2) return;
    before.stop(); // phones open only one camera at a time
    const track = (await openCamera(next.deviceId)) ?? (await openCamera(before.getSettings().deviceId ?? ''));
    if (track === null) return;
    track.enabled = !dark;
    own.removeTrack(before);
    own.addTrack(track);
    await room.replace(track);
  };
  if (!several) return null;
  return (
    <button type="button" className="button" onClick={() => void turn()}>
      {t('turn')}
    </button>
  );
}
