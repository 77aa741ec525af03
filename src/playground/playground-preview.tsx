import { observer } from 'mobx-react-lite';
import { useEffect, useMemo, useState, type ComponentType } from 'react';
import type { ServedDefinitions } from '../engine/compiler/definitions.ts';
import { createEngine } from '../engine/react/create-engine.tsx';
import { EngineProvider } from '../engine/react/engine-context.ts';
import { useFlow } from '../engine/react/flow/use-flow.ts';
import type { ScreenProps } from '../engine/react/flow/screen-view.tsx';
import { type RunningFlow, createFlow } from '../engine/runtime/create-flow.ts';
import type { FormModel } from '../engine/runtime/form/form-model.ts';
import { baseLanguage, t } from './playground-texts.ts';
import type { Flow } from '../engine/core/flow-and-screen-types.ts';
import type { ValuesByName } from '../engine/core/json.ts';
import { openScreen } from '../engine/runtime/open-screen.ts';
import { runScreenModule } from './interpret-screen-module.ts';
import { loadScreenPlugins } from './bundled-plugins.ts';

interface PreviewProps {
  readonly definitions: ServedDefinitions;
  readonly Screen: ComponentType<ScreenProps>;
}

export function PlaygroundPreview({ definitions, Screen }: PreviewProps) {
  const [operationCalls, setAsked] = useState<readonly OperationCall[]>([]);
  const running = useMemo(() => {
    try {
      return runFlow(definitions, (one) => setAsked((before) => [...before, one]));
    } catch (error) {
      return String(error); // shows an error during rendering, for example if a rule uses an operator whose service the playground lacks
    }
  }, [definitions]);
  if (typeof running === 'string') return <p role="alert">{running}</p>;
  return (
    <>
      <EngineProvider value={engine}>
        <RunningScreen running={running} definitions={definitions} Screen={Screen} />
      </EngineProvider>
      {operationCalls.length > 0 && (
        <>
          <h2>Operations</h2>
          <pre>{operationCalls.map(({ operation, body }) => `${operation} ${formatValue(body)}`).join('\n')}</pre>
        </>
      )}
    </>
  );
}

const choices = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
];
const engine = createEngine({ t, source: () => ready, titled: () => document.title });
const ready = { state: 'ready', data: choices } as const;

function RunningScreen({ running, definitions, Screen }: PreviewProps & { readonly running: RunningFlow }) {
  useEffect(() => void running.start(), [running]);
  const { view, context, shown } = useFlow(running);
  if (!shown) return null;
  return (
    <>
      <div className="playground-form" lang={baseLanguage}>
        <Screen key={view?.name} {...shown} />
      </div>
      {shown.form && (
        <FormOutput
          form={shown.form}
          check={(values) =>
            definitions.check(shown.screen.validator.screen.id, values, { language: baseLanguage, context })
          }
        />
      )}
    </>
  );
}

interface FormOutputProps {
  readonly form: FormModel;
  readonly check: (values: FormModel['values']) => ReturnType<ServedDefinitions['check']>;
}

const FormOutput = observer(function Taken({ form, check }: FormOutputProps) {
  const { data, errors } = check(form.values);
  return (
    <>
      <h2>What a server would take</h2>
      <pre>{formatValue(data)}</pre>
      <h2>What it would refuse</h2>
      <pre>{formatValue(errors)}</pre>
    </>
  );
});

function formatValue(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

interface OperationCall {
  readonly operation: string;
  readonly body: unknown;
}

function runFlow(definitions: ServedDefinitions, onCall: (operationCalls: OperationCall) => void): RunningFlow {
  const [flow] = Object.values(definitions.flows);
  if (!flow) throw new Error('There is no flow: add flows/main.json.');
  const { screens } = definitions.manifest(baseLanguage);
  const remembered = new Map<string, ValuesByName>();
  return createFlow(flow as Flow, {
    loadScreen: async (id) => {
      const url = screens[id]?.url;
      const module = await runScreenModule(definitions.modules.find((own) => own.url === url)?.source ?? '');
      return openScreen(module, loadScreenPlugins(module.screen));
    },
    invoke: async (operation, { body = {} }) => {
      onCall({ operation, body });
      return { ok: true, result: body };
    },
    t,
    recall: (id) => remembered.get(id) ?? {},
    remember: (id, values) => void remembered.set(id, values),
    navigate: () => undefined,
    leave: (address) => onCall({ operation: 'leave', body: String(address) }),
  });
}
