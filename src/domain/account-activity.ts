import { types } from 'mobx-state-tree';

/** An application that the citizen lets read data, in the names of the wire (section 3 of the specification). */
export const Application = types.model('Application', {
  id: types.string,
  client: types.model('ApplicationClient', { name: types.string, logo: types.maybeNull(types.string) }),
  scopes: types.array(types.model('ApplicationScope', { name: types.string })),
  /** ISO 8601 with offset. */
  date_given: types.string,
});

/** What happened to the account, in words, who did it, and from where. */
export const ActionEntry = types.model('ActionEntry', {
  id: types.string,
  /** ISO 8601 with offset. */
  timestamp_access: types.string,
  descripcion: types.string,
  responsable: types.string,
  dispositivo: types.maybeNull(types.string),
  red: types.maybeNull(types.string),
});
