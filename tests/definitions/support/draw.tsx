import '@simplewebauthn/browser'; // imported here, because the passkey widget loads it lazily and snapshots must not depend on timing
import { act, render } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { choiceKeys } from '../../../src/contract/constants.ts';
import { createEngine } from '../../../src/engine/react/create-engine.tsx';
import { EngineProvider, type EngineServices } from '../../../src/engine/react/engine-context.ts';
import type { LoadedScreen } from '../../../src/engine/runtime/flow-services.ts';
import type { LiveScreenProps } from '../../../src/engine/react/flow/screen-view.tsx';
import { ThemedScreen } from '../../../src/portal/shell/themed-screen.tsx';
import type { FormModel } from '../../../src/engine/runtime/form/form-model.ts';

const countries = [
  {
    codigo: 'uy',
    nombre: 'Uruguay',
    documentos: [{ tipo_documento: { codigo: 'ci', nombre: 'Cédula de identidad' } }],
  },
  {
    codigo: 'ar',
    nombre: 'Argentina',
    documentos: [
      { tipo_documento: { codigo: 'dni', nombre: 'DNI' } },
      { tipo_documento: { codigo: 'psp', nombre: 'Pasaporte' } },
    ],
  },
];

const ready = { state: 'ready', data: countries } as const;
const loading = { state: 'loading' } as const;

/** Engine services whose texts are the keys. All sources return two countries, except those of appointments, which never finish loading. */
export const services: EngineServices = createEngine({
  t: (key) => key,
  load: () => new Promise(() => undefined),
  source: (operation) => (/(Dates|Hours)$/.test(operation) ? loading : ready),
  choiceKeys,
});

/** Renders a screen as the portal does, without a server. */
export async function draw(
  screen: LoadedScreen,
  draft: FormModel | null,
  context: Readonly<Record<string, unknown>>,
  onEvent: (event: string) => void = (event) => event === 'submit' && void draft?.submitPrepared(), // validates and submits the form, as a flow does
  more: Partial<Pick<LiveScreenProps, 'notice' | 'busy' | 'bar'>> = {},
  engine: EngineServices = services,
) {
  const drawn = render(
    <MemoryRouter>
      <EngineProvider value={engine}>
        <ThemedScreen
          screen={screen}
          form={draft}
          context={context}
          facts={context}
          notice={null}
          busy={false}
          direction="none"
          onEvent={onEvent}
          onDismiss={() => undefined}
          {...more}
        />
      </EngineProvider>
    </MemoryRouter>,
  );
  await waitForWidgets();
  return drawn;
}

/** Waits for asynchronous work of widgets, such as the check for passkey support. */
export async function waitForWidgets(): Promise<void> {
  await act(() => new Promise((resolve) => setTimeout(resolve)));
}
