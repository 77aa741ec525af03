import dayjs from 'dayjs';
import { types } from 'mobx-state-tree';
import states from '../contract/call-states.json';
import { portalConstants } from '../contract/constants.ts';
import { parseUruguayDateTime } from '../contract/format/dates.ts';

const Call = types
  .model('Call', {
    id: types.string,
    /** State of the call (section 4.2 of the specification) or of its reservation, for example `Reservado`. */
    estado: types.string,
    /** `YYYY-MM-DD`. */
    fecha: types.string,
    /** `HH:mm:ss` in official time. */
    hora_inicio: types.string,
    /** Duration in minutes. 0 if the backend omits the duration, which the specification allows. */
    minutos: types.optional(types.integer, 0),
  })
  .views((self) => ({
    /** Start of the call in ISO 8601. */
    get begins(): string {
      return parseUruguayDateTime(`${self.fecha}T${self.hora_inicio}`).toISOString();
    },
  }));

export const SupportVideoCall = Call.named('SupportVideoCall').views((self) => ({
  get reserved(): boolean {
    return self.estado === 'Reservado';
  },
}));

/** Latest video call for identity proofing (section 4.2 of the specification). */
export const ProofingVideoCall = Call.named('ProofingVideoCall')
  .props({
    link: types.maybeNull(types.string),
    jwt: types.maybeNull(types.string),
    sala: types.optional(types.boolean, false),
    /** Time at which the room opens (ISO 8601). `null` if the time is unknown or the room will not open again. */
    abre: types.maybeNull(types.string),
  })
  .views((self) => ({
    get pending(): boolean {
      return states.pending.includes(self.estado);
    },
    get cancellable(): boolean {
      return states.cancellable.includes(self.estado);
    },
    /** Whether the agent has verified the identity and the citizen has not yet accepted the terms. */
    get waitsForTerms(): boolean {
      return self.estado === 'Pendiente usuario';
    },
    get successful(): boolean {
      return states.successful.includes(self.estado);
    },
    warns(now: Date): boolean {
      const until = parseUruguayDateTime(self.fecha).add(portalConstants.rejectedCallWarningMonths, 'month');
      return states.rejected.includes(self.estado) && dayjs(now).isBefore(until);
    },
    /** Milliseconds until the overview links to the room. `null` after the day of the call, or if the room will not open again. */
    msUntilEntry(now: Date): number | null {
      const day = parseUruguayDateTime(self.fecha);
      if (!day.add(1, 'day').isAfter(now)) return null;
      if (self.abre === null && !self.sala && self.link === null) return null;
      return Math.max(0, new Date(self.abre ?? now).getTime() - now.getTime(), day.valueOf() - now.getTime());
    },
  }));
