import { readEvents, callOnce, type StreamOptions } from '../contract/event-stream.ts';
import type { RoomWire } from './wire.ts';

/** What the way to a room needs of its page. */
export interface WireOptions extends StreamOptions {
  /** Gets a fresh token where the one of now may have ended while the machine slept; absent: nobody is signed in. */
  readonly refresh?: () => Promise<unknown>;
}

/** The calls of the contract by which each side enters and speaks. */
const calls = {
  citizen: { enter: 'enterRoom', signal: 'signalRoom' },
  agent: { enter: 'attendRoom', signal: 'signalFromDesk' },
} as const;

export type Side = keyof typeof calls;

/** The way of one side to the room of a call, named by its id or, for a citizen, by the secret of a mail's link. */
export function openWire(side: Side, open: () => Promise<WireOptions>, call: string): RoomWire {
  return {
    async enter({ client, from }, onEvent, signal) {
      const options = await open();
      const body = { llamada: call, cliente: client, desde: from };
      const read = () => readEvents(options, calls[side].enter, { body }, onEvent, signal);
      const end = await read();
      if (end.status !== 404 || options.refresh === undefined) return end;
      await options.refresh(); // without a session the own call is a stranger's
      return read();
    },
    send: async (client, senal, last) =>
      callOnce(await open(), calls[side].signal, { llamada: call, cliente: client, senal }, last),
  };
}
