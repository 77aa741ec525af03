import states from '../contract/call-states.json';
import { Peer } from './peer.ts';
import type { Ice, RoomEvent, RoomWire, Signal } from './wire.ts';

/**
 * How the room stands for this page: on the way in; alone; both there, but no picture yet; in the call; the picture stands still; the network is
 * gone; another page took the seat; it is not open; there is none; the call is over.
 */
export type Phase =
  'entering' | 'alone' | 'linking' | 'talking' | 'shaky' | 'offline' | 'taken' | 'closed' | 'unknown' | 'over';

const ended = ['taken', 'closed', 'unknown', 'over'] as const satisfies readonly Phase[];

/** Whether there is nothing to come back to by itself. */
export function isEnded(phase: Phase): phase is (typeof ended)[number] {
  return (ended as readonly Phase[]).includes(phase);
}

/** What is shown of a room. */
export interface RoomState {
  readonly phase: Phase;
  /** The state of the call, as section 4.2 of the specification names it; empty: not known yet. */
  readonly callState: string;
  readonly picture: MediaStream | null;
  /** What the citizen is asked a picture of. */
  readonly asked: RoomEvent['foto'] | null;
  /** What became of the pictures that the agent asked for. */
  readonly stills: NonNullable<RoomEvent['fotos']>;
}

const pending: ReadonlySet<string> = new Set(states.pending);
/** How long a picture may stand still before the agent's side begins anew, and how long between two such tries. */
const patienceMs = 5_000;
/** Pauses before the stream is opened again. */
const pausesMs = [500, 1_000, 2_000, 4_000] as const;
/** Answers after which there is nothing to come back to. */
const ends: Readonly<Record<number, Phase>> = { 404: 'unknown', 409: 'closed' };

/** One page in the room of a call: keeps its seat, and the connection to the page across. */
export class Room {
  readonly #wire: RoomWire;
  readonly #side: 'citizen' | 'agent';
  readonly #own: MediaStream;
  readonly #client = crypto.randomUUID();
  readonly #gone = new AbortController();
  readonly #listeners = new Set<() => void>();
  #state: RoomState = { phase: 'entering', callState: '', picture: null, asked: null, stills: [] };
  #peer: Peer | null = null;
  #across: string | null = null;
  #ice: Ice = { servidores: [], solo_rele: false };
  #read = 0;
  /** Signals and events wait for each other: a candidate must not overtake its description. */
  #line: Promise<unknown> = Promise.resolve();
  #outgoing: Promise<unknown> = Promise.resolve();
  #anew: number | undefined;

  /** `own`: the picture and sound of this side. */
  constructor(wire: RoomWire, side: 'citizen' | 'agent', own: MediaStream) {
    this.#wire = wire;
    this.#side = side;
    this.#own = own;
  }

  get state(): RoomState {
    return this.#state;
  }

  /** The name of this page in the room. */
  get client(): string {
    return this.#client;
  }

  /** Calls `listener` at each change; answers the way to stop. An own property, so that React keeps one subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Comes in and stays, through losses of the network, until the call is over or the page leaves. */
  async enter(): Promise<void> {
    const { signal } = this.#gone;
    for (let tries = 0; !signal.aborted; tries += 1) {
      const place = { client: this.#client, from: this.#read };
      const end = await this.#wire.enter(
        place,
        (event) => {
          tries = 0;
          this.#inLine(() => this.#hear(event));
        },
        signal,
      );
      await this.#line;
      if (signal.aborted || ['taken', 'over'].includes(this.#state.phase)) return;
      const phase = ends[end.status];
      if (phase !== undefined) {
        this.#dropPeer();
        return this.#set({ phase, picture: null });
      }
      if (end.status !== 200 && this.#state.phase !== 'talking') this.#set({ phase: 'offline' });
      await pause(pausesMs[Math.min(tries, pausesMs.length - 1)] ?? 0, signal);
    }
  }

  /** Goes, and says so. `closing`: the page itself goes. */
  leave(closing = false): void {
    if (this.#gone.signal.aborted) return;
    const { phase } = this.#state;
    this.#gone.abort();
    this.#dropPeer();
    if (phase !== 'taken' && phase !== 'over')
      void this.#wire.send(this.#client, { tipo: 'adios', sesion: 'adios', datos: '' }, closing);
  }

  /** Sends another camera's picture from now on. */
  async replace(track: MediaStreamTrack): Promise<void> {
    await this.#peer?.replace(track);
  }

  async #hear(event: RoomEvent): Promise<void> {
    if (event.tipo === 'ocupado') return this.#stop('taken');
    if (event.tipo === 'senal') {
      this.#read = event.numero ?? this.#read;
      return this.#hearSignal(event.senal as Signal); // the contract's body let it through
    }
    this.#ice = event.hielo ?? this.#ice;
    this.#set({ callState: event.estado ?? '', asked: event.foto ?? null, stills: event.fotos ?? [] });
    if (!pending.has(event.estado ?? '')) return this.#stop('over');
    await this.#face(event.otro ?? null);
  }

  /** Somebody came, went, or is there as a new page. */
  async #face(across: string | null): Promise<void> {
    if (across !== this.#across) this.#dropPeer();
    this.#across = across;
    if (across === null) return this.#set({ phase: 'alone', picture: null });
    if (this.#peer !== null)
      return this.#set({ phase: this.#state.phase === 'offline' ? 'talking' : this.#state.phase });
    this.#set({ phase: 'linking', picture: null });
    if (this.#side === 'agent') await this.#begin();
  }

  async #begin(): Promise<void> {
    this.#dropPeer();
    this.#peer = this.#connect(crypto.randomUUID());
    this.#later(patienceMs * 3); // an offer that nobody answered is made again
    await this.#peer.offer();
  }

  async #hearSignal(signal: Signal): Promise<void> {
    if (signal.tipo === 'oferta' && this.#side === 'citizen') {
      this.#dropPeer();
      this.#peer = this.#connect(signal.sesion);
    }
    if (this.#peer?.session === signal.sesion) await this.#peer.take(signal);
  }

  #connect(session: string): Peer {
    const peer: Peer = new Peer(session, this.#ice, this.#own, {
      send: (signal) => {
        this.#outgoing = this.#outgoing.then(() => this.#wire.send(this.#client, signal)); // in their order, one by one
      },
      onPicture: (picture) => {
        if (this.#peer === peer) this.#set({ picture });
      },
      onChange: (state) => {
        if (this.#peer !== peer) return;
        window.clearTimeout(this.#anew);
        this.#set({ phase: state === 'up' ? 'talking' : 'shaky' });
        if (state !== 'up') this.#later(state === 'down' ? 0 : patienceMs);
      },
    });
    return peer;
  }

  /** The agent's side makes the connection anew, if nothing has come until then. */
  #later(ms: number): void {
    window.clearTimeout(this.#anew);
    if (this.#side !== 'agent') return;
    this.#anew = window.setTimeout(() => this.#inLine(() => (this.#across === null ? undefined : this.#begin())), ms);
  }

  #inLine(work: () => Promise<void> | void): void {
    this.#line = this.#line
      .then(() => (this.#gone.signal.aborted ? undefined : work()))
      .catch(() => this.#later(patienceMs)); // what one connection cannot do, the next may
  }

  #dropPeer(): void {
    window.clearTimeout(this.#anew);
    this.#peer?.close();
    this.#peer = null;
  }

  #stop(phase: 'taken' | 'over'): void {
    this.#dropPeer();
    this.#set({ phase, picture: null });
  }

  #set(change: Partial<RoomState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = window.setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      window.clearTimeout(timer);
      resolve();
    });
  });
}
