import dayjs from 'dayjs';
import { types } from 'mobx-state-tree';
import states from '../contract/call-states.json';
import { constants } from '../contract/constants.ts';
import { inUruguay } from '../contract/written/dates.ts';

const Call = types
  .model('Call', {
    id: types.string,
    /** A state of section 4.2 of the specification, or of a reservation. */
    estado: types.string,
    /** YYYY-MM-DD. */
    fecha: types.string,
    /** HH:mm:ss, in official time. */
    hora_inicio: types.string,
    /** How long it takes; 0: a backend of the specification alone does not say. */
    minutos: types.optional(types.integer, 0),
  })
  .views((self) => ({
    /** When it begins (ISO 8601). */
    get begins(): string {
      return inUruguay(`${self.fecha}T${self.hora_inicio}`).toISOString();
    },
  }));

/** A support call that the citizen booked, in the names of the wire (section 3 of the specification). */
export const SupportCall = Call.named('SupportCall').views((self) => ({
  /** Whether the mailed link still has to confirm it. */
  get reserved(): boolean {
    return self.estado === 'Reservado';
  },
}));

const among = (names: readonly string[]) => (state: string) => names.includes(state);
const isPending = among(states.pending);
const isRejected = among(states.rejected);
const isCancellable = among(states.cancellable);
const isSuccessful = among(states.successful);

/** The latest video call that shall raise the level, by its states in section 4.2 of the specification. */
export const ElevationCall = Call.named('ElevationCall')
  .props({
    link: types.maybeNull(types.string),
    jwt: types.maybeNull(types.string),
    /** Whether its room is the portal's own. */
    sala: types.optional(types.boolean, false),
    /** When the room opens (ISO 8601); null: it is not known, or it opens no more. */
    abre: types.maybeNull(types.string),
  })
  .views((self) => ({
    /** Whether it is under way: no other one can be booked. */
    get pending(): boolean {
      return isPending(self.estado);
    },
    get cancellable(): boolean {
      return isCancellable(self.estado);
    },
    /** Whether the identity was proven, and the citizen has to accept the terms. */
    get waitsForTerms(): boolean {
      return self.estado === 'Pendiente usuario';
    },
    get successful(): boolean {
      return isSuccessful(self.estado);
    },
    /** Whether the citizen is still warned that it did not prove the identity: until one month after its date. */
    warns(now: Date): boolean {
      const until = inUruguay(self.fecha).add(constants.rejectedCallWarningMonths, 'month');
      return isRejected(self.estado) && dayjs(now).isBefore(until);
    },
    /**
     * Milliseconds until the overview offers to enter: from when the server opens the room, on the day of the call. Null: not any more, since the room
     * opens for it no longer or its day is over.
     */
    msUntilEntry(now: Date): number | null {
      const day = inUruguay(self.fecha);
      if (!day.add(1, 'day').isAfter(now)) return null;
      if (self.abre === null && !self.sala && self.link === null) return null;
      return Math.max(0, new Date(self.abre ?? now).getTime() - now.getTime(), day.valueOf() - now.getTime());
    },
  }));
