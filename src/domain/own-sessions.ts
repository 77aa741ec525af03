import { types } from 'mobx-state-tree';

const OwnSession = types.model('OwnSession', {
  id: types.string,
  /** Browser and system in words. */
  dispositivo: types.string,
  red: types.string,
  /** ISO 8601 with offset, as `visto`. */
  inicio: types.string,
  visto: types.string,
  actual: types.boolean,
  /** Names of the applications that were signed in to. */
  aplicaciones: types.array(types.string),
});

const HalfFinished = types.model('HalfFinished', {
  dispositivo: types.string,
  red: types.string,
  inicio: types.string,
});

/** Where the citizen is signed in, in the names of the wire. */
export const OwnSessions = types
  .model('OwnSessions', {
    sesiones: types.array(OwnSession),
    /** Sign-ins with a right password that wait for the second factor. */
    pendientes: types.array(HalfFinished),
  })
  .views((self) => ({
    /** Whether there is anything to end beside the session of this page. */
    get hasOthers(): boolean {
      return self.pendientes.length > 0 || self.sesiones.some(({ actual }) => !actual);
    },
  }));
