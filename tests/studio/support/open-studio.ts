import { fireEvent, render, screen } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { expect, vi } from 'vitest';
import { createDefinitionOptions } from '../../../src/server/app/definition-options.ts';
import { StudioContext, type StudioContextValue } from '../../../src/studio/editor/use-studio.ts';
import { DefinitionWriter } from '../../../src/studio/server/definition-writer.ts';
import { readStudioReferenceData } from '../../../src/studio/server/studio-reference-data.ts';
import { readStudioDefinitions } from '../../../src/studio/server/read-studio-definitions.ts';
import type { FileChange, StudioDefinitions } from '../../../src/studio/studio-api-types.ts';
import { root } from '../../definitions/support/fixtures.ts';
import { createUnchangingDefinitions } from '../../server/support/fake-definitions.ts';

let opened: ReturnType<typeof openStudioOnce> | undefined;

/** Opens the product's definitions as the studio does. All tests of a worker share them. */
export function openStudio(): ReturnType<typeof openStudioOnce> {
  return (opened ??= openStudioOnce());
}

async function openStudioOnce() {
  const { productCache, productDefinitions } = await import('../../definitions/support/product-definitions.ts'); // not imported at the top, because the import already compiles the definitions
  const definitions = { ...createUnchangingDefinitions(await productDefinitions), cache: productCache };
  const set: StudioDefinitions = {
    ...(await readStudioDefinitions(root, definitions)),
    history: { undo: null, redo: null },
  };
  const writer = new DefinitionWriter(createDefinitionOptions(root), definitions.cache);
  return { definitions, set, referenceData: await readStudioReferenceData(root), writer };
}

/** Creates a studio with the real compiler that records writes instead of performing them. */
export function createRecordingStudio({
  set,
  referenceData,
  writer,
}: Pick<Awaited<ReturnType<typeof openStudio>>, 'set' | 'referenceData' | 'writer'>) {
  const write = vi.fn<StudioContextValue['write']>(() => Promise.resolve(true));
  const look = vi.fn<StudioContextValue['look']>((changes) => writer.writeChanges({ changes, dryRun: true }));
  const stage = vi.fn<StudioContextValue['stage']>();
  const studio = { set, referenceData, busy: false, pending: {}, look, write, stage } as unknown as StudioContextValue; // a partial fake: the forms use only these properties
  return { studio, write, look };
}

export function renderInStudio(studio: StudioContextValue, part: ReactNode) {
  return render(createElement(StudioContext, { value: studio }, part));
}

/** Timeout for a preview of changes, which compiles the set while other tests run. */
export const previewTimeout = { timeout: 20_000 };

export const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
export const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

/** Previews the changes of the form and applies them. Returns the edits by file. */
export async function applyPreviewed(
  write: ReturnType<typeof createRecordingStudio>['write'],
): Promise<Readonly<Record<string, FileChange['edits']>>> {
  press('Ver qué cambia');
  fireEvent.click(await screen.findByRole('button', { name: 'Aplicar' }, previewTimeout));
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(1));
  return Object.fromEntries((write.mock.calls[0]?.[0] ?? []).map(({ file, edits }) => [file, edits]));
}
