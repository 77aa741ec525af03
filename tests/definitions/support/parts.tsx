import { act, cleanup, render, screen } from '@testing-library/react';
import { vi } from 'vitest';
import type { Ui } from '../../../src/engine/core/definition.ts';
import { Busy } from '../../../src/engine/fluent/busy.tsx';
import { StepBar } from '../../../src/engine/react/flow/step-bar.tsx';
import { FormModel } from '../../../src/engine/runtime/form/form-model.ts';
import type { LoadedScreen } from '../../../src/engine/runtime/flow-services.ts';
import { draw } from './draw.tsx';
import { outline } from './html.ts';

/** Longer than the delay before a live region gets its text. */
const noticeMs = 200;

/**
 * Every text of a screen in its position: first all conditional content together, including the texts of pending actions; then each other heading
 * and each notice.
 */
export async function outlineOfParts(
  loaded: LoadedScreen,
  context: Readonly<Record<string, unknown>>,
): Promise<string> {
  await spinnerLoaded();
  const { ui } = loaded.validator.screen;
  const titles = typeof ui.title === 'string' ? [ui.title] : ui.title.map(({ text }) => text);
  const whole = await drawn(loaded, everything(ui, titles[0]), context, { busy: true });
  const headings: string[] = [];
  for (const title of titles.slice(1)) headings.push(await drawn(loaded, { ...ui, title }, context, {}, 'h1'));
  const notices: string[] = [];
  for (const notice of Object.values(ui.notices ?? {}))
    notices.push(await drawn(loaded, ui, context, { notice: withLinks(notice) }, '.notice'));
  return [whole, ...headings, ...notices].join('\n');
}

/** Loads the progress indicator beforehand. Otherwise snapshots would depend on the speed of the machine. */
async function spinnerLoaded(): Promise<void> {
  render(<Busy text="" />);
  await screen.findByRole('progressbar', {}, { timeout: 30_000 });
  cleanup();
}

/** The screen without its conditions of visibility. */
function everything(ui: Ui, title: string | undefined): Ui {
  const always = <Part extends object>(parts: readonly Part[] | undefined): readonly Part[] | undefined =>
    parts?.map((part) => ({ ...part, visible: undefined }));
  const { aside, intro, sections } = ui;
  return {
    ...ui,
    title: title ?? '',
    ...(typeof intro === 'object' && {
      intro: intro.map((part) => ({
        ...part,
        visible: undefined,
        ...(part.link && { link: { ...part.link, visible: undefined } }),
      })),
    }),
    actions: always(ui.actions),
    links: always(ui.links),
    sections: always(sections),
    ...(aside && {
      aside: {
        ...aside,
        parts: aside.parts.map((part) => ({ ...part, visible: undefined, links: always(part.links) })),
      },
    }),
    visible: {},
  } as Ui; // also valid without rules
}

function withLinks(notice: NonNullable<Ui['notices']>[string]): typeof notice {
  const { link, other } = notice;
  return {
    ...notice,
    ...(link && { link: { ...link, visible: undefined } }),
    ...(other && { other: { ...other, visible: undefined } }),
  } as typeof notice;
}

async function drawn(
  loaded: LoadedScreen,
  ui: Ui,
  context: Readonly<Record<string, unknown>>,
  more: Parameters<typeof draw>[4],
  part?: string,
): Promise<string> {
  const fields = loaded.validator.screen.fields.map((field) => ({ ...field, visible: undefined }));
  const validator = {
    ...loaded.validator,
    screen: { ...loaded.validator.screen, ui, fields },
  } as typeof loaded.validator; // same rules
  const draft = part === undefined && fields.length > 0 ? new FormModel(validator, {}, context) : null;
  const bar =
    ui.step === undefined
      ? null
      : {
          steps: [{ state: 'here', title: ui.step, place: 'here' as const }],
          draw: StepBar,
          returnTo: () => undefined,
        };
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const rendering = draw({ ...loaded, validator }, draft, context, undefined, { bar, ...more });
    await vi.advanceTimersByTimeAsync(0);
    const { container } = await rendering;
    await act(() => vi.advanceTimersByTimeAsync(noticeMs));
    return [...(part === undefined ? [container] : container.querySelectorAll(part))]
      .map((node) => outline(node))
      .join('');
  } finally {
    vi.useRealTimers();
    cleanup();
  }
}
