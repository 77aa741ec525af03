// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sampleCitizens } from '../../src/server/app/sample/sample-citizens.ts';
import type { Flow } from '../../src/engine/core/flow-and-screen-types.ts';
import { createJourneySteps } from '../../src/engine/runtime/journey-steps.ts';
import { loadScreen } from '../../src/portal/navigation/load-screen.ts';
import { StudioContext, type StudioContextValue } from '../../src/studio/editor/use-studio.ts';
import { ScenarioStartForm } from '../../src/studio/editor/scenario/scenario-start-form.tsx';
import { ScenarioStopReasonText } from '../../src/studio/editor/scenario/scenario-panel.tsx';
import { personaAssuranceLevels, scenarioPersonas } from '../../src/studio/server/studio-reference-data.ts';
import { t } from '../../src/studio/texts.ts';
import { runScenarioReplay } from '../../src/studio/scenario/replay.ts';
import { createScenarioReport } from '../../src/studio/scenario/scenario-frame.tsx';
import type { Scenario } from '../../src/studio/scenario/scenario.ts';
import { explainScenarioStop } from '../../src/studio/scenario/frame-messages.ts';
import { productDefinitions } from './support/product-definitions.ts';

const definitions = await productDefinitions;
const { screens } = definitions.manifest('es');

async function replayScenario(flow: string, walk: Scenario) {
  const replayed = await runScenarioReplay(definitions.flows[flow] as Flow, walk, {
    loadScreen: async (id) => {
      const source = definitions.modules.find(({ url }) => url === screens[id]?.url)?.source ?? '';
      return loadScreen(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`);
    },
    openSteps: createJourneySteps,
  });
  const report = createScenarioReport(replayed);
  replayed.runner.depart();
  return report;
}

afterEach(cleanup);

test('[EST-07] ScenarioStartForm marks the saved scenarios that are broken', () => {
  const flow = definitions.flows['contrasena'] as Flow;
  const studio = { referenceData: { personas: [], levels: [] } } as unknown as StudioContextValue; // a partial fake: the form uses only these
  const walks = [{ name: 'uno' }, { name: 'dos' }];
  render(
    <StudioContext value={studio}>
      <ScenarioStartForm flow={flow} states={{}} walks={walks} broken={['dos']} walk={{ name: '' }} onStart={vi.fn()} />
    </StudioContext>,
  );
  const { options } = screen.getByLabelText<HTMLSelectElement>(t('keptWalk'));
  expect([...options].map(({ text }) => text)).toEqual(['Uno nuevo', 'uno', 'dos (ya no se cumple)']);
});

describe('[EST-18] persona of a scenario', () => {
  /** Returns the scenario that starts after `choose` has made its choices in the form. */
  const begun = (choose: () => void): Scenario => {
    const onStart = vi.fn<(walk: Scenario) => void>();
    const flow = definitions.flows['seguridad-cierre'] as Flow;
    render(
      <StudioContext
        value={
          {
            referenceData: { personas: scenarioPersonas, levels: personaAssuranceLevels },
          } as Partial<StudioContextValue> as StudioContextValue
        }
      >
        <ScenarioStartForm flow={flow} states={{}} walks={[]} broken={[]} walk={{ name: '' }} onStart={onStart} />
      </StudioContext>,
    );
    choose();
    fireEvent.click(screen.getByRole('button', { name: t('walkBegin') }));
    return onStart.mock.calls[0]?.[0] as Scenario;
  };
  const pick = (label: string, option: string) => {
    const box = screen.getByLabelText<HTMLSelectElement>(label);
    const wanted = [...box.options].find(({ text }) => text.startsWith(option));
    fireEvent.change(box, { target: { value: wanted?.value } });
  };

  test('is a sample citizen with an account, or nobody by default', () => {
    const named = sampleCitizens.flatMap(({ password, firstName }) => (password === null ? [] : [firstName]));
    expect(scenarioPersonas.map(({ name }) => name.split(' ')[0])).toEqual(named);
    expect(begun(() => undefined)).toEqual({ name: '' });
  });

  test('has the chosen level, factor and flags, and no proof of identity', async () => {
    const walk = begun(() => {
      pick(t('persona'), 'Ana');
      pick(t('personaLevel'), 'Verificado');
      fireEvent.click(screen.getByLabelText(t('personaFactor')));
      fireEvent.click(screen.getByLabelText(t('flag-ayuda')));
    });
    expect(walk.facts).toMatchObject({
      authenticated: true,
      user: {
        primer_nombre: 'Ana',
        user: { email: 'ana.pereira@example.com', permisos: {} },
        rid: 'Medio',
        segundo_factor_pendiente: false,
        identidad_verificada: false,
      },
      flags: { ayuda: false, contrasena: true },
    });
    expect(
      (await replayScenario('seguridad-cierre', walk)).steps[0]?.place.left,
      'redirected to the password first',
    ).toContain('verificar');
  });

  test('has the chosen proof of identity, which opens a protected screen', async () => {
    const walk = begun(() => {
      pick(t('persona'), 'Ana');
      fireEvent.click(screen.getByLabelText(t('personaProven')));
    });
    expect((await replayScenario('seguridad-cierre', walk)).screen).toBe('seguridad-cierre-pedir');
  });

  test('has the permissions of the desk if it is an agent', () => {
    expect(begun(() => pick(t('persona'), 'Bruno')).facts).toMatchObject({
      user: { user: { permisos: { agentes: expect.arrayContaining(['videollamadas']) as string[] } } },
    });
  });
});

describe('[EST-18] reason why a scenario cannot continue', () => {
  test('is that the flow was left', async () => {
    expect((await replayScenario('contrasena', { name: '', at: 'fuera' })).stuck).toEqual({
      kind: 'left',
      to: '/login',
    });
  });

  test('is absent if an event can be raised', async () => {
    expect((await replayScenario('contrasena', { name: '' })).stuck).toBeNull();
  });

  const scope = { context: { listo: false }, flags: {} };
  const visible = { var: 'context.listo' };
  test('lists the rule of each hidden button and link', () => {
    const ui = {
      title: 'Hola',
      actions: [{ event: 'seguir', text: 'Seguir', visible }],
      links: [{ to: '/ayuda', text: 'Ayuda', visible: { '==': [{ var: 'context.paso' }, 2] } }],
    };
    const stuck = explainScenarioStop(ui, '', scope);
    if (!stuck) throw new Error('nothing is said');
    render(<ScenarioStopReasonText stuck={stuck} names={{}} />);
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '«Seguir» se muestra si la variable listo tiene valor.',
      '«Ayuda» se muestra si la variable paso es 2.',
    ]);
    expect(explainScenarioStop(ui, '', { ...scope, context: { listo: true } })).toBeNull();
  });

  test('is that the screen has no buttons or links, unless a block draws it', () => {
    expect(explainScenarioStop({ title: 'Hola' }, '', scope)).toEqual({ kind: 'bare' });
    expect(explainScenarioStop(null, '', scope), 'a block may draw its own buttons').toBeNull();
  });
});
