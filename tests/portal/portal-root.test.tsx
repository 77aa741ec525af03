// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { PortalRoot } from '../../src/portal/portal-root.tsx';
import { openPortal, createPage } from './support/sample-page.ts';

afterEach(cleanup);

/** Component that simulates a navigation back during the first render. */
function GoingBack() {
  useLayoutEffect(() => {
    window.history.replaceState(null, '', '/registro');
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, []);
  return <h1>{useLocation().pathname}</h1>;
}

test('PortalRoot follows a Back navigation that happens during its first render', () => {
  window.history.replaceState(null, '', '/ayuda');
  render(
    <PortalRoot portal={openPortal(createPage({ id: 'main', initial: 'home', states: {} }))}>
      <GoingBack />
    </PortalRoot>,
  );
  expect(screen.getByRole('heading').textContent).toBe('/registro');
});
