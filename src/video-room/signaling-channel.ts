import {
  readEventStream,
  tryInvokeOperation,
  type EventStreamOptions,
  type EventStreamResult,
} from '../contract/event-stream.ts';
import type { OperationAnswer } from '../contract/contract.ts';

export interface SignalingOptions extends EventStreamOptions {
  /** Renews a token that may have expired while the device was asleep. Undefined if nobody is signed in. */
  readonly refresh?: () => Promise<unknown>;
}

const operationsBySide = {
  citizen: { enter: 'enterRoom', signal: 'signalRoom' },
  agent: { enter: 'attendRoom', signal: 'signalFromDesk' },
} as const;

export type RoomSide = keyof typeof operationsBySide;

/** Creates the signaling channel of one side. `call` is the id of the call or, for a citizen, the secret of an e-mail link. */
export function openSignalingChannel(
  side: RoomSide,
  open: () => Promise<SignalingOptions>,
  call: string,
): SignalingChannel {
  return {
    async enter({ client, from }, onEvent, signal) {
      const options = await open();
      const body = { llamada: call, cliente: client, desde: from };
      const read = () => readEventStream(options, operationsBySide[side].enter, { body }, onEvent, signal);
      const end = await read();
      if (end.status !== 404 || options.refresh === undefined) return end;
      await options.refresh(); // without a valid session, the server responds with 404 even for the citizen's own call
      return read();
    },
    send: async (client, senal, last) =>
      tryInvokeOperation(await open(), operationsBySide[side].signal, { llamada: call, cliente: client, senal }, last),
  };
}

export type RoomEvent = OperationAnswer<'enterRoom'>;
export type IceServers = NonNullable<RoomEvent['hielo']>;

export interface SignalingMessage {
  readonly tipo: 'oferta' | 'respuesta' | 'candidato' | 'adios';
  readonly sesion: string;
  readonly datos: string;
}

/** Connection of a page to the server that carries the signals of one side of a call. */
export interface SignalingChannel {
  /** Occupies the side's seat in the room and reads events until the stream ends. */
  enter(place: StreamPosition, onEvent: (event: RoomEvent) => void, signal: AbortSignal): Promise<EventStreamResult>;
  /** Sends a signal. Returns whether the server accepted the signal. `last`: the browser is closing the page. */
  send(client: string, signal: SignalingMessage, last?: boolean): Promise<boolean>;
}

interface StreamPosition {
  /** Id that the page generated for itself. */
  readonly client: string;
  readonly from: number;
}
