import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createEngine } from '../../../src/engine/react/create-engine.tsx';
import { EngineProvider } from '../../../src/engine/react/engine-context.ts';
import type { LoadedScreen } from '../../../src/engine/runtime/flow-services.ts';
import type { FormModel } from '../../../src/engine/runtime/form/form-model.ts';
import { loadScreen } from '../../../src/portal/navigation/load-screen.ts';
import { exposeHooks, recordSubmit } from './expose.ts';

// Starts loading the renderer immediately, like the portal's preload.
const renderer = import('../../../src/portal/shell/themed-screen.tsx');
const services = createEngine();

const none = {};

function Page({ screen, draft }: { screen: LoadedScreen; draft: FormModel }) {
  return (
    <EngineProvider value={services}>
      <ThemedScreen
        screen={screen}
        form={draft}
        context={none}
        facts={none}
        notice={null}
        busy={false}
        direction="none"
        onDismiss={() => undefined}
        onEvent={() => recordSubmit(draft.submit()?.data)}
      />
      <Ready />
    </EngineProvider>
  );
}

function Ready() {
  const [, set] = useState(false);
  useEffect(() => {
    exposeHooks({
      field: (name) => document.getElementById(`field-${name}`),
      errorSelector: '.form-error',
      submitSelector: 'button[type=submit]',
    });
    set(true);
  }, []);
  return null;
}

const form = new URLSearchParams(window.location.search).get('form') ?? 'A';
const { modules, values } = (await (await fetch('forms.json')).json()) as {
  modules: Record<string, string>;
  values: Record<string, Record<string, unknown>>;
};
const screen = await loadScreen(new URL(modules[form] ?? '', window.location.href).href);
const draft = screen.open(values[form] ?? {}, none);
const { ThemedScreen } = await renderer;
const root = document.getElementById('root');
if (root && draft) createRoot(root).render(<Page screen={screen} draft={draft} />);
