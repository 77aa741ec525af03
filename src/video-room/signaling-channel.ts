import {
  readEventStream,
  tryInvokeOperation,
  type EventStreamOptions,
  type EventStreamResult,
} from '../contract/event-stream.ts';
import type { OperationResponse } from '../contract/contract.ts';

interface SignalingOptions extends EventStreamOptions {
  /** Renews a token that may have expired while the device was asleep. Undefined if nobody is signed in. */
  readonly refresh?: () => Promise<unknown>;
}

const operationsBySide = {
  citizen: { enter: 'enterRoom', signal: 'signalRoom' },
  agent: { enter: 'attendRoom', signal: 'signalFromDesk' },
} as const;

export type RoomSide = keyof typeof operationsBySide;

export type SignalingChannel = ReturnType<typeof openSignalingChannel>;

/** Creates the channel for the signals of one side. `call` is the id of the call or, for a citizen, the secret of an e-mail link. */
export function openSignalingChannel(side: RoomSide, open: () => Promise<SignalingOptions>, call: string) {
  return {
    /** Occupies the side's seat and reads events until the stream ends. `client` is an id that the page generated for itself. */
    async enter(
      { client, from }: { client: string; from: number },
      onEvent: (event: RoomEvent) => void,
      signal: AbortSignal,
    ): Promise<EventStreamResult> {
      const options = await open();
      const body = { llamada: call, cliente: client, desde: from };
      const read = () => readEventStream(options, operationsBySide[side].enter, { body }, onEvent, signal);
      const end = await read();
      if (end.status !== 404 || options.refresh === undefined) return end;
      await options.refresh(); // renews the session, because without a valid one the server responds with 404 even for the citizen's own call
      return read();
    },
    /** Returns whether the server accepted the signal. `last`: the browser is closing the page. */
    send: async (client: string, senal: SignalingMessage, last?: boolean): Promise<boolean> =>
      tryInvokeOperation(await open(), operationsBySide[side].signal, { llamada: call, cliente: client, senal }, last),
  };
}

export type RoomEvent = OperationResponse<'enterRoom'>;
export type IceServers = NonNullable<RoomEvent['hielo']>;

export interface SignalingMessage {
  readonly tipo: 'oferta' | 'respuesta' | 'candidato' | 'adios';
  readonly sesion: string;
  readonly datos: string;
}
