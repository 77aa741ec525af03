import type { OperationResult } from '../../engine/core/operation.ts';
import type { DrawNews, DrawOrder } from '../dev-data.ts';
import type { MadeOperation, Replay } from './replay.ts';
import type { Walk, WalkStep } from './walk.ts';
import type { Stuck } from './why-stuck.ts';

export interface WalkReport extends Omit<Replay, 'runner'> {
  /** Screen shown. `null` for a block, or if there is none. */
  readonly screen: string | null;
  /** Block of a state without a screen. */
  readonly block: string | null;
  readonly events: readonly string[];
  /** Reason why the citizen cannot continue. `null` if they can. */
  readonly stuck: Stuck | null;
}

export type WalkOrder =
  | { readonly kind: 'walk'; readonly turn: number; readonly walk: Walk }
  /** Raises an event together with the input. */
  | { readonly kind: 'raise'; readonly event: string }
  | { readonly kind: 'fill'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: 'ask'; readonly operation: MadeOperation }
  | { readonly kind: 'cover'; readonly walks: readonly Walk[] };

export type WalkNews =
  | { readonly kind: 'ready' }
  | { readonly kind: 'report'; readonly turn: number; readonly report: WalkReport }
  | { readonly kind: 'step'; readonly step: WalkStep }
  | { readonly kind: 'answered'; readonly result: OperationResult }
  /** Ids of the branches that the scenarios cover. */
  | { readonly kind: 'covered'; readonly taken: readonly string[] };

type FrameMessage = WalkOrder | WalkNews | DrawOrder | DrawNews;

export function tell(to: Window, message: FrameMessage): void {
  to.postMessage(message, location.origin);
}

/** Listens to messages of one window of this origin. Returns a function that stops this. */
export function hear<Message extends FrameMessage>(
  from: () => Window | null | undefined,
  listener: (message: Message) => void,
): () => void {
  const hears = ({ origin, source, data }: MessageEvent): void => {
    if (origin === location.origin && source === from()) listener(data as Message); // sent by one of our own pages
  };
  addEventListener('message', hears);
  return () => removeEventListener('message', hears);
}
