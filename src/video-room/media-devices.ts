export type MediaDeviceProblem = 'denied' | 'none' | 'busy' | 'unsupported' | 'failed';

export interface CapturedMedia {
  readonly stream: MediaStream;
  readonly missing: 'camera' | 'microphone' | null;
}

/** Device ids. If an id is absent, the browser chooses the device. */
export interface MediaDeviceChoice {
  readonly camera?: string;
  readonly microphone?: string;
}

/** Preferred video resolution, at which a document is legible. */
const preferredResolution = { width: { ideal: 1_280 }, height: { ideal: 720 } };

const problems: Readonly<Record<string, MediaDeviceProblem>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** Opens camera and microphone, or only one of them if the other is missing. Returns the problem if neither can be opened. */
export async function openCameraAndMicrophone(
  choice: MediaDeviceChoice = {},
): Promise<CapturedMedia | MediaDeviceProblem> {
  // on plain HTTP, `mediaDevices` is undefined, contrary to its type
  if (!(navigator.mediaDevices as MediaDevices | undefined)?.getUserMedia || !('RTCPeerConnection' in globalThis))
    return 'unsupported';
  const video = constrainCamera(choice.camera);
  const audio = choice.microphone === undefined ? true : { deviceId: { exact: choice.microphone } };
  const both = await requestMedia({ video, audio });
  if (both !== 'none') return typeof both === 'string' ? both : { stream: both, missing: null };
  const videoOnly = await requestMedia({ video });
  if (typeof videoOnly !== 'string') return { stream: videoOnly, missing: 'microphone' };
  const heard = await requestMedia({ audio });
  return typeof heard === 'string' ? heard : { stream: heard, missing: 'camera' };
}

export async function openCamera(id: string): Promise<MediaStreamTrack | null> {
  const opened = await requestMedia({ video: constrainCamera(id) });
  return typeof opened === 'string' ? null : (opened.getVideoTracks()[0] ?? null);
}

/** Lists the devices of a kind. Browsers reveal device names only after a device has been opened. */
export async function listMediaDevices(kind: 'videoinput' | 'audioinput'): Promise<readonly MediaDeviceInfo[]> {
  const all = await navigator.mediaDevices.enumerateDevices();
  return all.filter((device) => device.kind === kind && device.deviceId !== '');
}

export function stopMediaTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

function constrainCamera(id: string | undefined): MediaTrackConstraints {
  return { ...preferredResolution, ...(id === undefined ? { facingMode: 'user' } : { deviceId: { exact: id } }) };
}

async function requestMedia(constraints: MediaStreamConstraints): Promise<MediaStream | MediaDeviceProblem> {
  try {
    return await navigator.mediaDevices.getUserMedia(constraints);
  } catch (error) {
    return (error instanceof Error ? problems[error.name] : undefined) ?? 'failed';
  }
}
