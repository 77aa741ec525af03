import { expect, test } from 'vitest';
import ui from '../../schemas/seguridad-contrasena-verificar/ui.json';
import { pagePaths, redirectOnlyPagePaths } from '../../src/contract/page-paths.ts';

test('[CLAVE-04] identity proof screen names the task of every page that requires a proof of identity', () => {
  const named = [...JSON.stringify(ui.intro).matchAll(/"(\/[^"]+)"/g)].map(([, path]) => path);
  expect(named.toSorted()).toEqual(
    [
      pagePaths.changePassword,
      pagePaths.changeEmail,
      pagePaths.changePhone,
      pagePaths.sessions,
      pagePaths.secondFactor,
      pagePaths.passkeys,
      pagePaths.ownData,
      pagePaths.closeAccount,
      redirectOnlyPagePaths.secondFactorByApp,
      redirectOnlyPagePaths.secondFactorByEmail,
      redirectOnlyPagePaths.secondFactorByNewEmail,
    ].toSorted(),
  );
});
