import { types } from 'mobx-state-tree';
import type { Answer } from '../contract/contract.ts';

/** The application that requests consent, in the names of the API (section 3 of the specification). */
export const ConsentClient = types
  .model('ConsentClient', {
    name: types.string,
    website_url: types.maybeNull(types.string),
    url: types.maybeNull(types.string),
    terms_url: types.maybeNull(types.string),
    priv_url: types.maybeNull(types.string),
    logo: types.maybeNull(types.string),
    scopes: types.frozen<Answer<'getConsentClient'>['scopes']>(),
    citizen: types.string,
    state: types.string,
  })
  .views((self) => ({
    get address(): string | null {
      return self.website_url ?? self.url;
    },
  }));
