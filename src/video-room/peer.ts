import type { IceServers, Signal } from './wire.ts';

export interface PeerEvents {
  readonly send: (signal: Signal) => void;
  readonly onPicture: (stream: MediaStream) => void;
  /** `up`: connected. `shaky`: interrupted, but it may recover. `down`: failed. */
  readonly onChange: (state: 'up' | 'shaky' | 'down') => void;
}

/** WebRTC connection to the other browser. `session` identifies its signals. */
export class Peer {
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

  /** Replaces the video track, for another camera. */
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
