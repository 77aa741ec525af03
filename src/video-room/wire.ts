import type { Answer } from '../contract/contract.ts';
import type { StreamEnd } from '../contract/event-stream.ts';

export type RoomEvent = Answer<'enterRoom'>;
/** ICE servers. */
export type IceServers = NonNullable<RoomEvent['hielo']>;

export interface Signal {
  readonly tipo: 'oferta' | 'respuesta' | 'candidato' | 'adios';
  readonly sesion: string;
  readonly datos: string;
}

/** Connection of one page to the room of a call. It is bound to one side. */
export interface RoomWire {
  /** Takes the seat and reads events until the stream ends. `from`: number of the last signal read. */
  enter(place: Place, onEvent: (event: RoomEvent) => void, signal: AbortSignal): Promise<StreamEnd>;
  /** Sends a signal. Returns whether it was accepted. `last`: the page is being closed. */
  send(client: string, signal: Signal, last?: boolean): Promise<boolean>;
}

export interface Place {
  /** Id that the page has chosen. */
  readonly client: string;
  readonly from: number;
}
