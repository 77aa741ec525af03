import states from '../contract/call-states.json';
import { Subject } from '../engine/core/subject.ts';
import type { IceServers, RoomEvent, RoomWire, Signal } from './open-wire.ts';

interface PeerEvents {
  readonly send: (signal: Signal) => void;
  readonly onPicture: (stream: MediaStream) => void;
  /** `up`: connected. `shaky`: interrupted, but it may recover. `down`: failed. */
  readonly onChange: (state: 'up' | 'shaky' | 'down') => void;
}

/** WebRTC connection to the other browser. `session` identifies its signals. */
class Peer {
  readonly session: string;
  readonly #connection: RTCPeerConnection;
  readonly #events: PeerEvents;
  /** Candidates received before the remote description. */
  #early: RTCIceCandidateInit[] = [];

  constructor(session: string, ice: IceServers, own: MediaStream, events: PeerEvents) {
    this.session = session;
    this.#events = events;
    const connection = new RTCPeerConnection({
      iceServers: ice.servidores.map(({ urls, username = '', credential = '' }) => ({ urls, username, credential })),
      iceTransportPolicy: ice.solo_rele ? 'relay' : 'all',
    });
    this.#connection = connection;
    for (const track of own.getTracks()) connection.addTrack(track, own);
    const picture = new MediaStream();
    connection.addEventListener('track', ({ track }) => {
      picture.addTrack(track);
      events.onPicture(picture);
    });
    connection.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate) this.#send('candidato', candidate);
    });
    connection.addEventListener('connectionstatechange', () => {
      const { connectionState: state } = connection;
      if (state === 'connected') events.onChange('up');
      if (state === 'disconnected') events.onChange('shaky');
      if (state === 'failed') events.onChange('down');
    });
  }

  /** Sends the offer. Only the agent's side does, so that offers never collide. A side without camera or microphone still receives. */
  async offer(): Promise<void> {
    const kinds = new Set(this.#connection.getSenders().map(({ track }) => track?.kind));
    for (const kind of ['audio', 'video'] as const)
      if (!kinds.has(kind)) this.#connection.addTransceiver(kind, { direction: 'recvonly' });
    await this.#connection.setLocalDescription(await this.#connection.createOffer());
    this.#send('oferta', this.#connection.localDescription);
  }

  async take({ tipo, datos }: Signal): Promise<void> {
    const said: unknown = JSON.parse(datos);
    if (tipo === 'candidato') return this.#takeCandidate(said as RTCIceCandidateInit); // sent by the other browser
    await this.#connection.setRemoteDescription(said as RTCSessionDescriptionInit);
    for (const candidate of this.#early.splice(0)) await this.#takeCandidate(candidate);
    if (tipo !== 'oferta') return;
    await this.#connection.setLocalDescription(await this.#connection.createAnswer());
    this.#send('respuesta', this.#connection.localDescription);
  }

  /** Replaces the video track when the user switches the camera. */
  async replace(track: MediaStreamTrack): Promise<void> {
    const sender = this.#connection.getSenders().find((candidate) => candidate.track?.kind === track.kind);
    await sender?.replaceTrack(track);
  }

  close(): void {
    this.#connection.close();
  }

  async #takeCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    if (this.#connection.remoteDescription === null) this.#early.push(candidate);
    else await this.#connection.addIceCandidate(candidate);
  }

  #send(tipo: Signal['tipo'], said: RTCSessionDescription | RTCIceCandidate | null): void {
    this.#events.send({ tipo, sesion: this.session, datos: JSON.stringify(said) });
  }
}

/**
 * Phase of the room. `alone`: the other side is absent. `linking`: both are present, but not yet connected. `shaky`: the picture is frozen. `taken`:
 * another page took the seat. `closed`: not open at this time. `unknown`: the room does not exist. `over`: the call has ended.
 */
export type Phase =
  'entering' | 'alone' | 'linking' | 'talking' | 'shaky' | 'offline' | 'taken' | 'closed' | 'unknown' | 'over';

const ended = ['taken', 'closed', 'unknown', 'over'] as const satisfies readonly Phase[];

/** Whether the room has ended, so that it does not reconnect automatically. */
export function isEnded(phase: Phase): phase is (typeof ended)[number] {
  return (ended as readonly Phase[]).includes(phase);
}

export interface RoomState {
  readonly phase: Phase;
  /** State of the call (section 4.2 of the specification). Empty until known. */
  readonly callState: string;
  readonly picture: MediaStream | null;
  /** Photo that the agent requests from the citizen. */
  readonly asked: RoomEvent['foto'] | null;
  readonly stills: NonNullable<RoomEvent['fotos']>;
}

const entering: RoomState = { phase: 'entering', callState: '', picture: null, asked: null, stills: [] };
const pending: ReadonlySet<string> = new Set(states.pending);
/** Time before the agent's side reconnects a frozen picture, and between attempts, in milliseconds. */
const patienceMs = 5_000;
/** Pauses before the stream is reopened, in milliseconds. */
const pausesMs = [500, 1_000, 2_000, 4_000] as const;
/** HTTP statuses that end the room. */
const ends: Readonly<Record<number, Phase>> = { 404: 'unknown', 409: 'closed' };

/** Presence of one page in the room of a call: holds its seat, and the connection to the other page. */
export class Room {
  readonly #wire: RoomWire;
  readonly #side: 'citizen' | 'agent';
  readonly #own: MediaStream;
  readonly #client = crypto.randomUUID();
  readonly #gone = new AbortController();
  readonly #state = new Subject<RoomState>(entering);
  readonly subscribe = this.#state.subscribe;
  #peer: Peer | null = null;
  #across: string | null = null;
  #ice: IceServers = { servidores: [], solo_rele: false };
  #read = 0;
  /** Handles signals and events one by one, because a candidate must not overtake its description. */
  #line: Promise<unknown> = Promise.resolve();
  #outgoing: Promise<unknown> = Promise.resolve();
  #anew: number | undefined;

  /** `own`: camera and microphone of this side. */
  constructor(wire: RoomWire, side: 'citizen' | 'agent', own: MediaStream) {
    this.#wire = wire;
    this.#side = side;
    this.#own = own;
  }

  get state(): RoomState {
    return this.#state.value;
  }

  get client(): string {
    return this.#client;
  }

  /** Enters the room and reconnects after network failures, until the call is over or the page leaves. */
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
      if (signal.aborted || ['taken', 'over'].includes(this.state.phase)) return;
      const phase = ends[end.status];
      if (phase !== undefined) {
        this.#dropPeer();
        return this.#set({ phase, picture: null });
      }
      if (end.status !== 200 && this.state.phase !== 'talking') this.#set({ phase: 'offline' });
      await pause(pausesMs[Math.min(tries, pausesMs.length - 1)] ?? 0, signal);
    }
  }

  /** Leaves and notifies the other side. `closing`: the page is being closed. */
  leave(closing = false): void {
    if (this.#gone.signal.aborted) return;
    const { phase } = this.state;
    this.#gone.abort();
    this.#dropPeer();
    if (phase !== 'taken' && phase !== 'over')
      void this.#wire.send(this.#client, { tipo: 'adios', sesion: 'adios', datos: '' }, closing);
  }

  async replace(track: MediaStreamTrack): Promise<void> {
    await this.#peer?.replace(track);
  }

  async #hear(event: RoomEvent): Promise<void> {
    if (event.tipo === 'ocupado') return this.#stop('taken');
    if (event.tipo === 'senal') {
      this.#read = event.numero ?? this.#read;
      return this.#receiveSignal(event.senal as Signal); // validated by the server with the contract
    }
    this.#ice = event.hielo ?? this.#ice;
    this.#set({ callState: event.estado ?? '', asked: event.foto ?? null, stills: event.fotos ?? [] });
    if (!pending.has(event.estado ?? '')) return this.#stop('over');
    await this.#face(event.otro ?? null);
  }

  /** Updates the room after the other side came, left, or reloaded its page. */
  async #face(across: string | null): Promise<void> {
    if (across !== this.#across) this.#dropPeer();
    this.#across = across;
    if (across === null) return this.#set({ phase: 'alone', picture: null });
    if (this.#peer !== null) return this.#set({ phase: this.state.phase === 'offline' ? 'talking' : this.state.phase });
    this.#set({ phase: 'linking', picture: null });
    if (this.#side === 'agent') await this.#begin();
  }

  async #begin(): Promise<void> {
    this.#dropPeer();
    this.#peer = this.#connect(crypto.randomUUID());
    this.#later(patienceMs * 3); // repeat an unanswered offer
    await this.#peer.offer();
  }

  async #receiveSignal(signal: Signal): Promise<void> {
    if (signal.tipo === 'oferta' && this.#side === 'citizen') {
      this.#dropPeer();
      this.#peer = this.#connect(signal.sesion);
    }
    if (this.#peer?.session === signal.sesion) await this.#peer.take(signal);
  }

  #connect(session: string): Peer {
    const peer: Peer = new Peer(session, this.#ice, this.#own, {
      send: (signal) => {
        this.#outgoing = this.#outgoing.then(() => this.#wire.send(this.#client, signal)); // sent one by one, in order
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

  /** Reconnects after a delay, on the agent's side. */
  #later(ms: number): void {
    window.clearTimeout(this.#anew);
    if (this.#side !== 'agent') return;
    this.#anew = window.setTimeout(() => this.#inLine(() => (this.#across === null ? undefined : this.#begin())), ms);
  }

  #inLine(work: () => Promise<void> | void): void {
    this.#line = this.#line
      .then(() => (this.#gone.signal.aborted ? undefined : work()))
      .catch(() => this.#later(patienceMs)); // reconnect after an error
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
    this.#state.set({ ...this.state, ...change });
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
