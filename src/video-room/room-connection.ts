import states from '../contract/call-states.json';
import { ObservableValue } from '../engine/core/observable-value.ts';
import type { IceServers, RoomEvent, SignalingChannel, SignalingMessage } from './signaling-channel.ts';

interface PeerEvents {
  readonly send: (signal: SignalingMessage) => void;
  readonly onPicture: (stream: MediaStream) => void;
  /** `up`: connected. `shaky`: interrupted, but the connection may recover. `down`: failed. */
  readonly onChange: (state: 'up' | 'shaky' | 'down') => void;
}

/** WebRTC connection to the other browser. Each signal carries the `session` of its connection. */
class PeerConnection {
  readonly session: string;
  readonly #connection: RTCPeerConnection;
  readonly #events: PeerEvents;
  /** ICE candidates received before the remote description. */
  #pendingCandidates: RTCIceCandidateInit[] = [];

  constructor(session: string, ice: IceServers, own: MediaStream, events: PeerEvents) {
    this.session = session;
    this.#events = events;
    const connection = new RTCPeerConnection({
      iceServers: ice.servidores.map(({ urls, username = '', credential = '' }) => ({ urls, username, credential })),
      iceTransportPolicy: ice.solo_rele ? 'relay' : 'all',
    });
    this.#connection = connection;
    for (const track of own.getTracks()) connection.addTrack(track, own);
    const remoteStream = new MediaStream();
    connection.addEventListener('track', ({ track }) => {
      remoteStream.addTrack(track);
      events.onPicture(remoteStream);
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

  /** Only the agent's side sends offers, so that offers never collide. A side without camera or microphone still receives media. */
  async sendOffer(): Promise<void> {
    const kinds = new Set(this.#connection.getSenders().map(({ track }) => track?.kind));
    for (const kind of ['audio', 'video'] as const)
      if (!kinds.has(kind)) this.#connection.addTransceiver(kind, { direction: 'recvonly' });
    await this.#connection.setLocalDescription(await this.#connection.createOffer());
    this.#send('oferta', this.#connection.localDescription);
  }

  async handleSignal({ tipo, datos }: SignalingMessage): Promise<void> {
    const payload: unknown = JSON.parse(datos);
    if (tipo === 'candidato') return this.#addCandidate(payload as RTCIceCandidateInit); // the payload is untyped JSON from the other browser
    await this.#connection.setRemoteDescription(payload as RTCSessionDescriptionInit);
    for (const candidate of this.#pendingCandidates.splice(0)) await this.#addCandidate(candidate);
    if (tipo !== 'oferta') return;
    await this.#connection.setLocalDescription(await this.#connection.createAnswer());
    this.#send('respuesta', this.#connection.localDescription);
  }

  async replaceVideoTrack(track: MediaStreamTrack): Promise<void> {
    const sender = this.#connection.getSenders().find((candidate) => candidate.track?.kind === track.kind);
    await sender?.replaceTrack(track);
  }

  close(): void {
    this.#connection.close();
  }

  async #addCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    if (this.#connection.remoteDescription === null) this.#pendingCandidates.push(candidate);
    else await this.#connection.addIceCandidate(candidate);
  }

  #send(tipo: SignalingMessage['tipo'], payload: RTCSessionDescription | RTCIceCandidate | null): void {
    this.#events.send({ tipo, sesion: this.session, datos: JSON.stringify(payload) });
  }
}

/**
 * Phase of the room. `alone`: the other side is absent. `linking`: both sides are present, but not connected yet.
 * `shaky`: the video is frozen. `taken`: another page took the seat. `closed`: the room is not open at this time.
 * `unknown`: the room does not exist. `over`: the call has ended.
 */
type RoomPhase =
  'entering' | 'alone' | 'linking' | 'talking' | 'shaky' | 'offline' | 'taken' | 'closed' | 'unknown' | 'over';

const finalPhases = ['taken', 'closed', 'unknown', 'over'] as const satisfies readonly RoomPhase[];

/** Whether a phase is final. In a final phase, the room does not reconnect automatically. */
export function isFinalRoomPhase(phase: RoomPhase): phase is (typeof finalPhases)[number] {
  return (finalPhases as readonly RoomPhase[]).includes(phase);
}

export interface VideoRoomState {
  readonly phase: RoomPhase;
  /** State of the call (section 4.2 of the specification). Empty until the first event. */
  readonly callState: string;
  readonly remoteStream: MediaStream | null;
  readonly requestedPhoto: RoomEvent['foto'] | null;
  readonly stills: NonNullable<RoomEvent['fotos']>;
}

const pendingCallStates: ReadonlySet<string> = new Set(states.pending);
/** Delay before the agent's side reconnects a frozen video, in milliseconds. */
const frozenPictureMs = 5_000;
/** Pauses before the event stream is reopened, in milliseconds. */
const reconnectDelaysMs = [500, 1_000, 2_000, 4_000] as const;
const finalPhaseByStatus: Readonly<Record<number, RoomPhase>> = { 404: 'unknown', 409: 'closed' };

export class RoomConnection {
  readonly #wire: SignalingChannel;
  readonly #side: 'citizen' | 'agent';
  readonly #own: MediaStream;
  readonly client = crypto.randomUUID();
  readonly #departure = new AbortController();
  readonly #state = new ObservableValue<VideoRoomState>({
    phase: 'entering',
    callState: '',
    remoteStream: null,
    requestedPhoto: null,
    stills: [],
  });
  readonly subscribe = this.#state.subscribe;
  #peer: PeerConnection | null = null;
  #remoteClient: string | null = null;
  #ice: IceServers = { servidores: [], solo_rele: false };
  #lastSignal = 0;
  /**
   * Queue of received signals and events. They are handled one after another, because an ICE candidate must not be
   * handled before its session description.
   */
  #queue: Promise<unknown> = Promise.resolve();
  #outgoing: Promise<unknown> = Promise.resolve();
  #reconnectTimer: number | undefined;

  constructor(wire: SignalingChannel, side: 'citizen' | 'agent', own: MediaStream) {
    this.#wire = wire;
    this.#side = side;
    this.#own = own;
  }

  get state(): VideoRoomState {
    return this.#state.value;
  }

  /** Enters the room. Reconnects after network failures until the call ends or `leave` is called. */
  async enter(): Promise<void> {
    const { signal } = this.#departure;
    for (let tries = 0; !signal.aborted; tries += 1) {
      const place = { client: this.client, from: this.#lastSignal };
      const onEvent = (event: RoomEvent): void => {
        tries = 0;
        this.#enqueue(() => this.#handleEvent(event));
      };
      const end = await this.#wire.enter(place, onEvent, signal);
      await this.#queue;
      if (signal.aborted || ['taken', 'over'].includes(this.state.phase)) return;
      const phase = finalPhaseByStatus[end.status];
      if (phase !== undefined) return this.#endRoom(phase);
      if (end.status !== 200 && this.state.phase !== 'talking') this.#set({ phase: 'offline' });
      await wait(reconnectDelaysMs[Math.min(tries, reconnectDelaysMs.length - 1)] ?? 0, signal);
    }
  }

  /** Leaves the room and notifies the other side. `closing`: the browser is closing the page. */
  leave(closing = false): void {
    if (this.#departure.signal.aborted) return;
    const { phase } = this.state;
    this.#departure.abort();
    this.#dropPeer();
    if (phase !== 'taken' && phase !== 'over')
      void this.#wire.send(this.client, { tipo: 'adios', sesion: 'adios', datos: '' }, closing);
  }

  async replaceTrack(track: MediaStreamTrack): Promise<void> {
    await this.#peer?.replaceVideoTrack(track);
  }

  async #handleEvent(event: RoomEvent): Promise<void> {
    if (event.tipo === 'ocupado') return this.#endRoom('taken');
    if (event.tipo === 'senal') {
      this.#lastSignal = event.numero ?? this.#lastSignal;
      return this.#receiveSignal(event.senal as SignalingMessage); // cast, because the contract types `tipo` as text; the server validates the value
    }
    this.#ice = event.hielo ?? this.#ice;
    this.#set({ callState: event.estado ?? '', requestedPhoto: event.foto ?? null, stills: event.fotos ?? [] });
    if (!pendingCallStates.has(event.estado ?? '')) return this.#endRoom('over');
    await this.#updateRemote(event.otro ?? null);
  }

  /** Updates the WebRTC connection after the other side has entered, left, or reloaded its page. */
  async #updateRemote(remoteClient: string | null): Promise<void> {
    if (remoteClient !== this.#remoteClient) this.#dropPeer();
    this.#remoteClient = remoteClient;
    if (remoteClient === null) return this.#set({ phase: 'alone', remoteStream: null });
    if (this.#peer !== null) return this.#set({ phase: this.state.phase === 'offline' ? 'talking' : this.state.phase });
    this.#set({ phase: 'linking', remoteStream: null });
    if (this.#side === 'agent') await this.#startConnection();
  }

  async #startConnection(): Promise<void> {
    this.#dropPeer();
    this.#peer = this.#createPeer(crypto.randomUUID());
    this.#scheduleReconnect(frozenPictureMs * 3); // reconnects later, in case the offer stays unanswered
    await this.#peer.sendOffer();
  }

  async #receiveSignal(signal: SignalingMessage): Promise<void> {
    if (signal.tipo === 'oferta' && this.#side === 'citizen') {
      this.#dropPeer();
      this.#peer = this.#createPeer(signal.sesion);
    }
    if (this.#peer?.session === signal.sesion) await this.#peer.handleSignal(signal);
  }

  #createPeer(session: string): PeerConnection {
    const peer: PeerConnection = new PeerConnection(session, this.#ice, this.#own, {
      send: (signal) => {
        this.#outgoing = this.#outgoing.then(() => this.#wire.send(this.client, signal)); // sends the signals one after the other, to keep their order
      },
      onPicture: (remoteStream) => {
        if (this.#peer === peer) this.#set({ remoteStream });
      },
      onChange: (state) => {
        if (this.#peer !== peer) return;
        window.clearTimeout(this.#reconnectTimer);
        this.#set({ phase: state === 'up' ? 'talking' : 'shaky' });
        if (state !== 'up') this.#scheduleReconnect(state === 'down' ? 0 : frozenPictureMs);
      },
    });
    return peer;
  }

  /** Schedules a reconnect on the agent's side. The citizen's side waits for the agent's offer. */
  #scheduleReconnect(ms: number): void {
    window.clearTimeout(this.#reconnectTimer);
    if (this.#side !== 'agent') return;
    this.#reconnectTimer = window.setTimeout(
      () => this.#enqueue(() => (this.#remoteClient === null ? undefined : this.#startConnection())),
      ms,
    );
  }

  #enqueue(work: () => Promise<void> | void): void {
    this.#queue = this.#queue
      .then(() => (this.#departure.signal.aborted ? undefined : work()))
      .catch(() => this.#scheduleReconnect(frozenPictureMs)); // reconnects after an error
  }

  #dropPeer(): void {
    window.clearTimeout(this.#reconnectTimer);
    this.#peer?.close();
    this.#peer = null;
  }

  #endRoom(phase: RoomPhase): void {
    this.#dropPeer();
    this.#set({ phase, remoteStream: null });
  }

  #set(change: Partial<VideoRoomState>): void {
    this.#state.set({ ...this.state, ...change });
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = window.setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      window.clearTimeout(timer);
      resolve();
    });
  });
}
