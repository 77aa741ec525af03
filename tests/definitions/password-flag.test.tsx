// @vitest-environment happy-dom
import { cleanup } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { featureFlagDefaults } from '../../src/contract/feature-flags.ts';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import { importScreen } from '../engine/support/loaded-screens.ts';
import { draw } from './support/draw.tsx';
import { productDefinitions } from './support/product-definitions.ts';

let definitions: ServedDefinitions;
beforeAll(async () => {
  definitions = await productDefinitions;
});
afterEach(cleanup);

describe.each([
  { screen: 'registro-contrasena', meters: 1, buttons: 2 },
  { screen: 'login-contrasena', meters: 0, buttons: 1 },
])('[CFG-01 CLAVE-07] password fields of $screen', ({ screen, meters, buttons }) => {
  test.each([
    [true, meters, buttons],
    [false, 0, 0],
  ])(
    'have with campo_contrasena %s: %i meters and %i show buttons',
    async (campo_contrasena, expectedMeters, expectedButtons) => {
      const loaded = await importScreen(definitions, screen);
      const context = { flags: { ...featureFlagDefaults, campo_contrasena } };
      const { container } = await draw(loaded, loaded.open({}, context), context);
      expect(container.querySelectorAll('[role=meter]')).toHaveLength(expectedMeters);
      expect(container.querySelectorAll('button[aria-controls]')).toHaveLength(expectedButtons);
      expect(container.querySelectorAll('input[type=password]')).toHaveLength(buttons);
    },
  );
});
