import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { VideoView } from './video-view.tsx';
import { isFinalRoomPhase, type RoomConnection } from './room-connection.ts';
import type { RoomTranslateFunction } from './room-texts.ts';
import type { useRoomConnection } from './use-room-connection.ts';
import { listMediaDevices, openCamera } from './media-devices.ts';

interface CallViewProps {
  readonly seat: ReturnType<typeof useRoomConnection>;
  readonly t: RoomTranslateFunction;
  readonly across: string;
  /** Element that shows the user's own camera. Photos are captured from it. */
  readonly video?: RefObject<HTMLVideoElement | null>;
  readonly children: ReactNode;
}

/** Videos of both sides, and the controls. If another page has taken the seat, shows a button that takes the seat back. */
export function CallView({ seat: { seated, leave, again }, t, across, video, children }: CallViewProps) {
  if (seated === null) return null;
  const { room, own, phase, remoteStream, requestedPhoto } = seated;
  if (phase === 'taken')
    return (
      <div className="screen-actions">
        <button type="button" className="button button-primary" onClick={() => void again()}>
          {t('end.taken.back')}
        </button>
      </div>
    );
  if (isFinalRoomPhase(phase)) return null;
  return (
    <div className="room-stage">
      <div className="room-pictures" data-asked={requestedPhoto ? true : undefined}>
        <VideoView stream={remoteStream} label={across} />
        {remoteStream === null && <p className="room-waiting">{t('waiting')}</p>}
        <VideoView stream={own} label={t('own')} own video={video} />
      </div>
      <div className="room-side">
        {children}
        <Controls room={room} own={own} t={t} onLeave={leave} />
      </div>
    </div>
  );
}

interface ControlsProps {
  readonly room: RoomConnection;
  readonly own: MediaStream;
  readonly t: RoomTranslateFunction;
  readonly onLeave: () => void;
}

function Controls({ room, own, t, onLeave }: ControlsProps) {
  const [muted, setMuted] = useState(false);
  const [dark, setDark] = useState(false);
  return (
    <>
      <div className="room-controls" role="group" aria-label={t('controls')}>
        <TrackSwitch
          tracks={own.getAudioTracks()}
          icon={icons.microphone}
          text={t('mute')}
          isOff={muted}
          onTurn={setMuted}
        />
        <TrackSwitch
          tracks={own.getVideoTracks()}
          icon={icons.camera}
          text={t('cameraOff')}
          isOff={dark}
          onTurn={setDark}
        />
        {own.getVideoTracks().length > 0 && <SwitchCameraButton room={room} own={own} t={t} dark={dark} />}
        <button type="button" className="button button-danger" onClick={onLeave}>
          <Icon path={icons.leave} />
          {t('leave')}
        </button>
      </div>
      <p role="status" className="room-silence">
        {[muted && t('muted'), dark && t('dark')].filter(Boolean).join(' ')}
      </p>
    </>
  );
}

/** SVG paths, 24 units wide and high. */
const icons = {
  microphone: 'M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5 11a7 7 0 0 0 14 0M12 18v3',
  camera: 'M3 7h12v10H3zM15 11l6-4v10l-6-4',
  turn: 'M4 11a8 8 0 0 1 14-5l2 3M20 4v5h-5M20 13a8 8 0 0 1-14 5l-2-3M4 20v-5h5',
  leave: 'M10 4H4v16h6M15 8l4 4-4 4M19 12H9',
} as const;

function Icon({ path }: { readonly path: string }) {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

interface TrackSwitchProps {
  readonly tracks: readonly MediaStreamTrack[];
  /** Path of `icons`. */
  readonly icon: string;
  readonly text: string;
  readonly isOff: boolean;
  readonly onTurn: (isOff: boolean) => void;
}

function TrackSwitch({ tracks, icon, text, isOff, onTurn }: TrackSwitchProps) {
  if (tracks.length === 0) return null;
  const turn = (): void => {
    setTracksEnabled(tracks, isOff);
    onTurn(!isOff);
  };
  return (
    <button type="button" className="button" aria-pressed={isOff} onClick={turn}>
      <Icon path={icon} />
      {text}
    </button>
  );
}

function setTracksEnabled(tracks: readonly MediaStreamTrack[], enabled: boolean): void {
  for (const track of tracks) track.enabled = enabled;
}

/** Button that switches to the next camera, if the device has several. */
function SwitchCameraButton({ room, own, t, dark }: Omit<ControlsProps, 'onLeave'> & { readonly dark: boolean }) {
  const [several, setSeveral] = useState(false);
  useEffect(() => {
    listMediaDevices('videoinput').then(
      (cameras) => setSeveral(cameras.length > 1),
      () => undefined, // ignores the error: if the devices cannot be listed, there is no camera to switch to
    );
  }, []);
  const turn = async (): Promise<void> => {
    const cameras = await listMediaDevices('videoinput');
    const [before] = own.getVideoTracks();
    const at = cameras.findIndex(({ deviceId }) => deviceId === before?.getSettings().deviceId);
    const next = cameras[(at + 1) % cameras.length];
    if (before === undefined || next === undefined || cameras.length < 2) return;
    before.stop(); // closes the previous camera first, because phones open only one camera at a time
    const track = (await openCamera(next.deviceId)) ?? (await openCamera(before.getSettings().deviceId ?? ''));
    if (track === null) return;
    track.enabled = !dark;
    own.removeTrack(before);
    own.addTrack(track);
    await room.replaceTrack(track);
  };
  if (!several) return null;
  return (
    <button type="button" className="button" onClick={() => void turn()}>
      <Icon path={icons.turn} />
      {t('turn')}
    </button>
  );
}
