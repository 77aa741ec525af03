import { types } from 'mobx-state-tree';

const IdentityProvider = types
  .model('IdentityProvider', {
    identificador: types.string,
    nombre: types.string,
    descripcion: types.maybeNull(types.string),
    nivel_seguridad: types.maybeNull(types.string),
    logo: types.maybeNull(types.string),
    /** Language of the provider's users, where it is not the portal's own. */
    idioma: types.maybe(types.enumeration('ProviderLanguage', ['es', 'pt'])),
  })
  .views((self) => ({
    /** The provider's level as it is shown (section 4.1 of the specification), as a key of texts. */
    get level(): 'advanced' | 'basicOrIntermediate' {
      return self.nivel_seguridad === 'avanzado' ? 'advanced' : 'basicOrIntermediate';
    },
  }));

/** The ways to sign in, in the names of the wire (section 3 of the specification). */
export const IdentityProviders = types.model('IdentityProviders', {
  idps: types.array(IdentityProvider),
  /** Whether the identity card, and the own account, may be used. */
  ci_allowed: types.boolean,
  gub_uy_allowed: types.boolean,
});
