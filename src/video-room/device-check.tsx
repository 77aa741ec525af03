import { useEffect, useId, useRef, useState } from 'react';
import { stopMediaTracks, listMediaDevices, openCameraAndMicrophone } from './media-devices.ts';
import type { MediaDeviceChoice, MediaDeviceProblem, CapturedMedia } from './media-devices.ts';
import { VideoView } from './video-view.tsx';
import type { RoomTranslateFunction } from './room-texts.ts';

const meterIntervalMs = 100;

/** Level meter of the microphone. Hidden from screen readers, because it changes constantly. */
function MicrophoneLevel({ stream, t }: { readonly stream: MediaStream; readonly t: RoomTranslateFunction }) {
  const meter = useRef<HTMLMeterElement>(null);
  const id = useId();
  useEffect(() => {
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const timer = window.setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      if (meter.current) meter.current.value = Math.min(1, 4 * Math.max(...samples.map(Math.abs)));
    }, meterIntervalMs);
    return () => {
      window.clearInterval(timer);
      void context.close();
    };
  }, [stream]);
  return (
    <p className="room-level">
      <label htmlFor={id}>{t('level')}</label>
      <meter ref={meter} id={id} min={0} max={1} value={0} />
      <span>{t('level.hint')}</span>
    </p>
  );
}

interface DeviceCheckProps {
  readonly t: RoomTranslateFunction;
  readonly onEnter: (stream: MediaStream) => void;
}

export function DeviceCheck({ t, onEnter }: DeviceCheckProps) {
  const [opened, setOpened] = useState<CapturedMedia | MediaDeviceProblem | 'opening' | null>(null);
  const stream = typeof opened === 'object' ? (opened?.stream ?? null) : null;
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);
  useEffect(() => {
    if (stream === null) return undefined;
    return () => stopMediaTracks(stream);
  }, [stream]);
  const openChosenDevices = async (choice?: MediaDeviceChoice): Promise<void> => {
    setOpened('opening');
    const found = await openCameraAndMicrophone(choice);
    if (isMounted.current) setOpened(found);
    else if (typeof found === 'object') stopMediaTracks(found.stream); // closes the devices, because the component was unmounted while they were opened
  };
  const enter = (): void => {
    if (stream !== null) onEnter(stream.clone()); // a clone, because the original stream is closed on unmount
  };
  const problem = typeof opened === 'string' && opened !== 'opening' ? opened : null;
  const missing = typeof opened === 'object' ? (opened?.missing ?? null) : null;
  return (
    <div className="room-check">
      <div role="status">
        {opened === 'opening' && <p>{t('trying')}</p>}
        {stream !== null && missing === null && <p>{t('ready')}</p>}
        {problem !== null && (
          <div className="notice" data-intent="error">
            <p>{t(`problem.${problem}`)}</p>
          </div>
        )}
        {missing !== null && (
          <div className="notice" data-intent="warning">
            <p>{t(`missing.${missing}`)}</p>
          </div>
        )}
      </div>
      {stream !== null && (
        <>
          {missing !== 'camera' && <VideoView stream={stream} label={t('own')} own />}
          {missing !== 'microphone' && <MicrophoneLevel stream={stream} t={t} />}
          <Choices stream={stream} t={t} onChoose={(choice) => void openChosenDevices(choice)} />
        </>
      )}
      <div className="screen-actions">
        {stream === null ? (
          <button
            type="button"
            className="button button-primary"
            aria-disabled={opened === 'opening' || undefined}
            onClick={() => opened !== 'opening' && void openChosenDevices()}
          >
            {t(problem === null ? 'try' : 'again')}
          </button>
        ) : (
          <button type="button" className="button button-primary" onClick={enter}>
            {t('enter')}
          </button>
        )}
      </div>
    </div>
  );
}

interface ChoicesProps {
  readonly stream: MediaStream;
  readonly t: RoomTranslateFunction;
  readonly onChoose: (choice: MediaDeviceChoice) => void;
}

function Choices({ stream, t, onChoose }: ChoicesProps) {
  const getDeviceId = (track: MediaStreamTrack | undefined): string => track?.getSettings().deviceId ?? '';
  const camera = getDeviceId(stream.getVideoTracks()[0]);
  const microphone = getDeviceId(stream.getAudioTracks()[0]);
  const now: MediaDeviceChoice = { ...(camera !== '' && { camera }), ...(microphone !== '' && { microphone }) };
  const choose = (choice: MediaDeviceChoice) => onChoose({ ...now, ...choice });
  return (
    <>
      <Choice
        {...{ stream, kind: 'videoinput', label: t('camera'), value: camera }}
        onChoose={(id) => choose({ camera: id })}
      />
      <Choice
        {...{ stream, kind: 'audioinput', label: t('microphone'), value: microphone }}
        onChoose={(id) => choose({ microphone: id })}
      />
    </>
  );
}

interface ChoiceProps {
  /** Open stream. The device list is reloaded when the stream changes. */
  readonly stream: MediaStream;
  readonly kind: 'videoinput' | 'audioinput';
  readonly label: string;
  readonly value: string;
  readonly onChoose: (id: string) => void;
}

function Choice({ stream, kind, label, value, onChoose }: ChoiceProps) {
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([]);
  useEffect(() => {
    let current = true;
    listMediaDevices(kind).then(
      (found) => current && setDevices(found),
      () => undefined, // ignores the error: if the devices cannot be listed, there is none to choose
    );
    return () => void (current = false);
  }, [stream, kind]);
  const id = useId();
  if (devices.length < 2) return null;
  return (
    <p className="room-choice">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChoose(target.value)}>
        {devices.map((device, index) => (
          <option key={device.deviceId} value={device.deviceId}>
            {device.label || `${label} ${index + 1}`}
          </option>
        ))}
      </select>
    </p>
  );
}
