// @vitest-environment happy-dom
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { act, cleanup } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../src/cli/project.ts';
import { featureFlagDefaults } from '../../src/contract/feature-flags.ts';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import { isObject } from '../../src/engine/core/json.ts';
import type { EngineServices } from '../../src/engine/react/engine-context.ts';
import { draw, services, waitForWidgets } from '../definitions/support/draw.tsx';
import { readScreenFixtures } from '../definitions/support/fixtures.ts';
import { productDefinitions } from '../definitions/support/product-definitions.ts';
import { importScreen } from '../engine/support/loaded-screens.ts';

const widgets = readdirSync(join(projectRoot, 'plugins'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('/widget.tsx'))
  .map((path) => path.slice(0, -'/widget.tsx'.length));

/** Widgets that have no value. */
const shows = ['encoded-email', 'facts', 'file-download', 'passkey', 'recovery-codes', 'totp-secret'];
/** Widgets that no screen renders in its cases. Other tests render them. */
const elsewhere = [
  'calendar-links', // tested separately, because the links depend on the response of a booking
  'date-parts', // tested by tests/e2e/analyst.spec.ts, because no screen of the product uses it
];

let definitions: ServedDefinitions;
beforeAll(async () => {
  definitions = await productDefinitions;
});
afterEach(cleanup);

/** Returns the text of the elements that an ARIA attribute refers to. */
const referencedText = (element: Element, attribute: string): string =>
  (element.getAttribute(attribute)?.split(' ') ?? [])
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ')
    .trim();
/** Computes the accessible name from `aria-label`, `aria-labelledby` or the label. */
const computeName = (control: HTMLElement): string =>
  [
    control.getAttribute('aria-label'),
    referencedText(control, 'aria-labelledby'),
    ...[...((control as HTMLInputElement).labels ?? [])].map(({ textContent }) => textContent),
    control.textContent,
  ].find((name) => name?.trim()) ?? '';

/** Days with available slots. */
const slots = { state: 'ready', data: [{ fecha: '2026-12-01', hora_inicio: '09:00:00' }] } as const;
const engine: EngineServices = {
  ...services,
  source: (operation) => (/(Dates|Hours)$/.test(operation) ? slots : services.source(operation)),
};

const controls = 'input:not([type=hidden]), select, textarea, button, a, [role=radio], [role=grid]';

describe.each(widgets.filter((widget) => !elsewhere.includes(widget)))('[PLUG-02] widget plugins/%s', (widget) => {
  /** Renders the widget on the first screen that uses it, with the values of a valid case. */
  const drawn = async (more: Readonly<Record<string, unknown>> = {}) => {
    for (const id of definitions.screens)
      for (const [name, ui] of Object.entries(definitions.ui(id, 'es').fields ?? {})) {
        if (!isObject(ui) || ui['ui:widget'] !== widget) continue;
        const screen = await importScreen(definitions, id);
        // Changes the loaded module until this test ends, because other test files share the module.
        const own = (screen.validator.screen.ui.fields ?? {})[name] as Record<string, unknown>;
        const before = { ...own };
        Object.assign(own, more);
        onTestFinished(() => {
          for (const key of Object.keys(more)) delete own[key];
          Object.assign(own, before);
        });
        const { context, cases } = readScreenFixtures(id);
        const facts = { ...context, flags: { ...featureFlagDefaults, ...(context['flags'] as object | undefined) } };
        const draft = screen.open(cases.find(({ errors }) => Object.keys(errors).length === 0)?.data ?? {}, facts);
        const { container } = await draw(screen, draft, facts, undefined, {}, engine);
        const field = container.querySelector<HTMLElement>(`[data-field="${name}"]`);
        if (field) return { name, draft, field, found: [...field.querySelectorAll<HTMLElement>(controls)] };
        cleanup();
      }
    throw new Error(`no screen shows ${widget}`);
  };

  test('has an accessible name for each control', async () => {
    const { field, found } = await drawn();
    expect(field.childElementCount, 'the widget renders something').toBeGreaterThan(0);
    if (!shows.includes(widget)) expect(found.length, 'the widget has focusable elements').toBeGreaterThan(0);
    expect(found.filter((control) => computeName(control) === '').map(({ outerHTML }) => outerHTML)).toEqual([]);
  });

  if (shows.includes(widget)) return;

  test('describes its control or group with its error', async () => {
    const { name, draft, field } = await drawn();
    act(() => draft?.refuse({ [name]: 'No vale.' }, null));
    await waitForWidgets();
    expect(field.dataset['invalid']).toBe('true');
    const described = [...field.querySelectorAll<HTMLElement>('[aria-describedby]')];
    expect(described.map((element) => referencedText(element, 'aria-describedby'))).toContainEqual(
      expect.stringContaining('No vale.'),
    );
  });

  test('accepts no input while disabled', async () => {
    const { found } = await drawn({ 'ui:disabled': true });
    expect(found.length, 'the widget has controls').toBeGreaterThan(0);
    const takes = found.filter(
      (control) =>
        !(control as HTMLInputElement).disabled &&
        control.getAttribute('aria-disabled') !== 'true' &&
        !control.closest('[aria-disabled=true], fieldset:disabled'),
    );
    expect(takes.map(({ outerHTML }) => outerHTML.slice(0, 120))).toEqual([]);
  });

  test('accepts no input while read-only', async () => {
    const { found } = await drawn({ 'ui:readonly': true });
    const takes = found.filter(
      (control) =>
        control.matches('input, select, textarea') && // a button may act on a value without changing it
        !control.matches(':disabled, [readonly]') &&
        !control.closest('[aria-disabled=true], fieldset:disabled'),
    );
    expect(takes.map(({ outerHTML }) => outerHTML.slice(0, 120))).toEqual([]);
  });
});
