import { types } from 'mobx-state-tree';

export const Consent = types.model('Consent', {
  id: types.identifier,
  client: types.model('Application', { name: types.string, logo: types.maybeNull(types.string) }),
  scopes: types.array(types.model('Scope', { name: types.string })),
  /** ISO 8601 with offset. */
  date_given: types.string,
});
