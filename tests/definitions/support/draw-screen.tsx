import { act, cleanup } from '@testing-library/react';
import { formatSnapshotHeading } from '../../../src/cli/definitions/cases/screen-cases.ts';
import type { ValuesByName } from '../../../src/engine/core/json.ts';
import type { LoadedScreen } from '../../../src/engine/runtime/flow-services.ts';
import { loadScreen } from '../../../src/portal/navigation/load-screen.ts';
import { draw, waitForWidgets } from './draw.tsx';
import { formatDifferences, formatOutline, listWords } from './outline.ts';
import { outlineEveryText } from './outline-every-text.tsx';

/** Loads the source of a compiled screen, as browsers load its module. */
export function loadSource(source: string): Promise<LoadedScreen> {
  return loadScreen(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`);
}

/**
 * Renders the snapshot of a screen: empty, with its errors, with its conditional content, and with its texts in
 * Portuguese.
 */
export async function drawSnapshot(
  base: LoadedScreen,
  portuguese: LoadedScreen,
  context: ValuesByName,
): Promise<string> {
  const form = base.open({}, context);
  const { container } = await draw(base, form, context);
  const empty = formatOutline(container);
  act(() => void form?.submit());
  if (form) await waitForWidgets();
  const errors = formatDifferences(empty, formatOutline(container));
  cleanup();
  const parts = formatDifferences(empty, await outlineEveryText(base, context));
  const sections = { empty, ...(form && { errors }), parts, portuguese: await renderWords(portuguese, context) };
  return Object.entries(sections)
    .map(([name, section]) => `${formatSnapshotHeading(name)}\n${section}`)
    .join('\n');
}

async function renderWords(loaded: LoadedScreen, context: ValuesByName): Promise<string> {
  const drawn = await outlineEveryText(loaded, context);
  const form = loaded.open({}, context);
  form?.submit();
  const errors = (form?.errors ?? []).map(([, message]) => message);
  return listWords([drawn, ...errors].join('\n'));
}
