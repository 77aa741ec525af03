/** Why there is neither picture nor sound. */
export type DeviceProblem = 'denied' | 'none' | 'busy' | 'unsupported' | 'failed';

/** Picture and sound of this side, and what lacks of them. */
export interface OpenDevices {
  readonly stream: MediaStream;
  readonly missing: 'camera' | 'microphone' | null;
}

/** Which camera and which microphone, by their ids; none: the browser's choice. */
export interface DeviceChoice {
  readonly camera?: string;
  readonly microphone?: string;
}

/** The size that a picture of a document is readable at. */
const wanted = { width: { ideal: 1_280 }, height: { ideal: 720 } };

const problems: Readonly<Record<string, DeviceProblem>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** Opens camera and microphone, or the one of them that there is; answers the problem where there is neither. */
export async function openDevices(choice: DeviceChoice = {}): Promise<OpenDevices | DeviceProblem> {
  // absent on plain http, whatever the types say
  if (!(navigator.mediaDevices as MediaDevices | undefined)?.getUserMedia || !('RTCPeerConnection' in globalThis))
    return 'unsupported';
  const video = cameraOf(choice.camera);
  const audio = choice.microphone === undefined ? true : { deviceId: { exact: choice.microphone } };
  const both = await open({ video, audio });
  if (both !== 'none') return typeof both === 'string' ? both : { stream: both, missing: null };
  const seen = await open({ video });
  if (typeof seen !== 'string') return { stream: seen, missing: 'microphone' };
  const heard = await open({ audio });
  return typeof heard === 'string' ? heard : { stream: heard, missing: 'camera' };
}

/** Opens another camera; null where it does not open. */
export async function openCamera(id: string): Promise<MediaStreamTrack | null> {
  const opened = await open({ video: cameraOf(id) });
  return typeof opened === 'string' ? null : (opened.getVideoTracks()[0] ?? null);
}

/** The devices of a kind that can be chosen; their names are known once one of them was opened. */
export async function devicesOf(kind: 'videoinput' | 'audioinput'): Promise<readonly MediaDeviceInfo[]> {
  const all = await navigator.mediaDevices.enumerateDevices();
  return all.filter((device) => device.kind === kind && device.deviceId !== '');
}

/** Lets camera and microphone go: their lights go out. */
export function closeDevices(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

function cameraOf(id: string | undefined): MediaTrackConstraints {
  return { ...wanted, ...(id === undefined ? { facingMode: 'user' } : { deviceId: { exact: id } }) };
}

async function open(constraints: MediaStreamConstraints): Promise<MediaStream | DeviceProblem> {
  try {
    return await navigator.mediaDevices.getUserMedia(constraints);
  } catch (error) {
    return (error instanceof Error ? problems[error.name] : undefined) ?? 'failed';
  }
}
