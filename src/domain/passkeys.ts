import { types } from 'mobx-state-tree';

/** A passkey of the citizen, in the names of the wire: moments in ISO 8601, whether it is kept on several devices. */
export const Passkey = types.model('Passkey', {
  id: types.string,
  nombre: types.string,
  creada: types.string,
  usada: types.maybeNull(types.string),
  sincronizada: types.boolean,
});
