import { isObject } from '../engine/core/json.ts';
import type { PlaygroundFiles } from './playground-compiler.ts';
import { playgroundSamples } from './playground-samples.ts';

export interface PlaygroundExample {
  /** Name of the sample. `null` if the files differ from those of every sample. */
  readonly sample: string | null;
  readonly files: PlaygroundFiles;
}

const filesPrefix = '#files=';

/** Maximum size of the decompressed files, in bytes, because a short fragment may decompress to more than a tab can hold. */
const maxBytes = 1_000_000;

export function buildSampleUrlFragment(name: string): string {
  return `#${encodeURIComponent(name)}`;
}

export async function buildFilesUrlFragment(files: PlaygroundFiles): Promise<string> {
  const bytes = await pipeThrough(
    new CompressionStream('deflate-raw'),
    new TextEncoder().encode(JSON.stringify(files)),
  );
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return filesPrefix + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Returns the example in a URL fragment. Returns the first sample if the fragment is empty or truncated. */
export async function readExampleFromUrlFragment(fragment: string): Promise<PlaygroundExample> {
  const files = fragment.startsWith(filesPrefix)
    ? await decodeFiles(fragment.slice(filesPrefix.length)).catch(() => null)
    : null;
  if (files) return { sample: null, files };
  const own = playgroundSamples.find(({ name }) => buildSampleUrlFragment(name) === fragment) ?? playgroundSamples[0];
  return { sample: own?.name ?? null, files: own?.files ?? {} };
}

async function decodeFiles(text: string): Promise<PlaygroundFiles | null> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
  const json = new TextDecoder().decode(await pipeThrough(new DecompressionStream('deflate-raw'), bytes, maxBytes));
  const files: unknown = JSON.parse(json);
  const isFiles = isObject(files) && Object.values(files).every((content) => typeof content === 'string');
  return isFiles ? (files as PlaygroundFiles) : null;
}

async function pipeThrough(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array<ArrayBuffer>,
  most = Infinity,
): Promise<Uint8Array> {
  let remainingBytes = most;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      remainingBytes -= chunk.length;
      if (remainingBytes < 0) throw new RangeError(`more than ${most} bytes`);
      controller.enqueue(chunk);
    },
  });
  const passed = new Blob([bytes]).stream().pipeThrough(stream).pipeThrough(counted);
  return new Uint8Array(await new Response(passed).arrayBuffer());
}
