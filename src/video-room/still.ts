/** Longer side of a photo, in pixels: enough to read a document. */
const longest = 1_280;
const quality = 0.9;

/** Captures the current frame as a base64 JPEG. Returns `null` without video. */
export async function takeStill(video: HTMLVideoElement): Promise<string | null> {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0 || height === 0) return null;
  const scale = Math.min(1, longest / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
  const url = canvas.toDataURL('image/jpeg', quality);
  return url.startsWith('data:image/jpeg;base64,') ? url.slice(url.indexOf(',') + 1) : null;
}
