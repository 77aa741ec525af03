import { act, cleanup } from '@testing-library/react';
import { sectionHead } from '../../../src/cli/definitions/cases.ts';
import type { Values } from '../../../src/engine/core/json.ts';
import type { LoadedScreen } from '../../../src/engine/runtime/flow-services.ts';
import { loadScreen } from '../../../src/portal/navigation/load-screen.ts';
import { draw, settle } from './draw.tsx';
import { differences, outline, wordsOf } from './html.ts';
import { outlineOfParts } from './parts.tsx';

/** Loads the source of a compiled screen, as browsers load its module. */
export function loadSource(source: string): Promise<LoadedScreen> {
  return loadScreen(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`);
}

/** Renders the snapshot of a screen: empty, with its errors, with its conditional content, and its texts in Portuguese. */
export async function drawSnapshot(base: LoadedScreen, portuguese: LoadedScreen, context: Values): Promise<string> {
  const form = base.open({}, context);
  const { container } = await draw(base, form, context);
  const empty = outline(container);
  act(() => void form?.submit());
  if (form) await settle();
  const errors = differences(empty, outline(container));
  cleanup();
  const parts = differences(empty, await outlineOfParts(base, context));
  const sections = { empty, ...(form && { errors }), parts, portuguese: await drawWords(portuguese, context) };
  return Object.entries(sections)
    .map(([name, section]) => `${sectionHead(name)}\n${section}`)
    .join('\n');
}

async function drawWords(loaded: LoadedScreen, context: Values): Promise<string> {
  const drawn = await outlineOfParts(loaded, context);
  const form = loaded.open({}, context);
  form?.submit();
  const errors = (form?.errors ?? []).map(([, message]) => message);
  return wordsOf([drawn, ...errors].join('\n'));
}
