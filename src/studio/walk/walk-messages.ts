import type { OperationResult } from '../../engine/core/operation.ts';
import type { DrawNews, DrawOrder } from '../dev-data.ts';
import type { MadeOperation, Replay } from './replay.ts';
import type { Walk, WalkStep } from './walk.ts';
import type { Stuck } from './why-stuck.ts';

/** What the studio sees of a replay. */
export interface WalkReport extends Omit<Replay, 'runner'> {
  /** The screen that is drawn; null of a block, or where nothing is. */
  readonly screen: string | null;
  /** What draws a state without a form of ours. */
  readonly block: string | null;
  /** What can be raised where it stands. */
  readonly events: readonly string[];
  /** Why the citizen can press nothing there; null: something can be pressed. */
  readonly stuck: Stuck | null;
}

/** What the studio asks of the frame. */
export type WalkOrder =
  | { readonly kind: 'walk'; readonly turn: number; readonly walk: Walk }
  /** What was filled in goes with it. */
  | { readonly kind: 'raise'; readonly event: string }
  | { readonly kind: 'fill'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: 'ask'; readonly operation: MadeOperation }
  | { readonly kind: 'cover'; readonly walks: readonly Walk[] };

/** What the frame tells the studio. */
export type WalkNews =
  | { readonly kind: 'ready' }
  | { readonly kind: 'report'; readonly turn: number; readonly report: WalkReport }
  | { readonly kind: 'step'; readonly step: WalkStep }
  | { readonly kind: 'answered'; readonly result: OperationResult }
  /** Ids of the branches that some walks take. */
  | { readonly kind: 'covered'; readonly taken: readonly string[] };

/** All that the studio and its frames say to each other. */
type FrameMessage = WalkOrder | WalkNews | DrawOrder | DrawNews;

/** Sends a message to a window of this origin. */
export function tell(to: Window, message: FrameMessage): void {
  to.postMessage(message, location.origin);
}

/** Listens to what one window of this origin says; answers the way to stop. */
export function hear<Message extends FrameMessage>(
  from: () => Window | null | undefined,
  listener: (message: Message) => void,
): () => void {
  const hears = ({ origin, source, data }: MessageEvent): void => {
    if (origin === location.origin && source === from()) listener(data as Message); // our own page sent it
  };
  addEventListener('message', hears);
  return () => removeEventListener('message', hears);
}
