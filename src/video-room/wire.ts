import type { Answer } from '../contract/contract.ts';
import type { StreamEnd } from '../contract/event-stream.ts';

/** What a page hears of the room. */
export type RoomEvent = Answer<'enterRoom'>;
/** By which servers two browsers reach each other. */
export type Ice = NonNullable<RoomEvent['hielo']>;

/** What one browser tells the other one. */
export interface Signal {
  readonly tipo: 'oferta' | 'respuesta' | 'candidato' | 'adios';
  readonly sesion: string;
  readonly datos: string;
}

/** The way of one page to the room of a call: which seat it takes, and in whose name, stands behind it. */
export interface RoomWire {
  /** Takes the seat and reads what happens, until the stream ends. `from`: the last signal that was read. */
  enter(place: Place, onEvent: (event: RoomEvent) => void, signal: AbortSignal): Promise<StreamEnd>;
  /** Tells the other browser; whether it was taken. `last`: the page is going away. */
  send(client: string, signal: Signal, last?: boolean): Promise<boolean>;
}

export interface Place {
  /** The name that the page gives itself. */
  readonly client: string;
  readonly from: number;
}
