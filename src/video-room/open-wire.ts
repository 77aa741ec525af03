import { readEvents, callOnce, type StreamOptions } from '../contract/event-stream.ts';
import type { RoomWire } from './wire.ts';

export interface WireOptions extends StreamOptions {
  /** Renews a token that may have expired while the device slept. Undefined if nobody is signed in. */
  readonly refresh?: () => Promise<unknown>;
}

const calls = {
  citizen: { enter: 'enterRoom', signal: 'signalRoom' },
  agent: { enter: 'attendRoom', signal: 'signalFromDesk' },
} as const;

export type Side = keyof typeof calls;

/** Creates the connection of one side to the room of a call. `call` is its id or, for a citizen, the secret from an e-mail link. */
export function openWire(side: Side, open: () => Promise<WireOptions>, call: string): RoomWire {
  return {
    async enter({ client, from }, onEvent, signal) {
      const options = await open();
      const body = { llamada: call, cliente: client, desde: from };
      const read = () => readEvents(options, calls[side].enter, { body }, onEvent, signal);
      const end = await read();
      if (end.status !== 404 || options.refresh === undefined) return end;
      await options.refresh(); // without a valid session the server hides the citizen's own call
      return read();
    },
    send: async (client, senal, last) =>
      callOnce(await open(), calls[side].signal, { llamada: call, cliente: client, senal }, last),
  };
}
