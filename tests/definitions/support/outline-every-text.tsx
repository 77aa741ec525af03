import { act, cleanup, render, screen } from '@testing-library/react';
import type { ScreenUi } from '../../../src/engine/core/flow-and-screen-types.ts';
import { LabelledSpinner } from '../../../src/engine/fluent/labelled-spinner.tsx';
import { FormModel } from '../../../src/engine/runtime/form/form-model.ts';
import type { LoadedScreen } from '../../../src/engine/runtime/flow-services.ts';
import { draw } from './draw.tsx';
import { formatOutline } from './outline.ts';

/** Delay after which a live region has its text, in milliseconds. */
const noticeMs = 200;

/**
 * Formats every text of a screen in its position. The first outline shows all conditional content and the texts of
 * pending actions. Further outlines show each other heading and each notice.
 */
export async function outlineEveryText(
  loaded: LoadedScreen,
  context: Readonly<Record<string, unknown>>,
): Promise<string> {
  await loadSpinner();
  const { ui } = loaded.validator.screen;
  const titles = typeof ui.title === 'string' ? [ui.title] : ui.title.map(({ text }) => text);
  const whole = await outlinePart(loaded, withoutConditions(ui, titles[0]), context, { busy: true });
  const headings: string[] = [];
  for (const title of titles.slice(1)) headings.push(await outlinePart(loaded, { ...ui, title }, context, {}, 'h1'));
  const notices: string[] = [];
  for (const notice of Object.values(ui.notices ?? {}))
    notices.push(await outlinePart(loaded, ui, context, { notice: withLinks(notice) }, '.notice'));
  return [whole, ...headings, ...notices].join('\n');
}

/** Loads the progress indicator, so that snapshots do not depend on the speed of the machine. */
async function loadSpinner(): Promise<void> {
  render(<LabelledSpinner text="" />);
  await screen.findByRole('progressbar', {}, { timeout: 30_000 });
  cleanup();
}

function withoutConditions(ui: ScreenUi, title: string | undefined): ScreenUi {
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
  } as ScreenUi; // a UI schema is valid without conditions too
}

function withLinks(notice: NonNullable<ScreenUi['notices']>[string]): typeof notice {
  const { link, other } = notice;
  return {
    ...notice,
    ...(link && { link: { ...link, visible: undefined } }),
    ...(other && { other: { ...other, visible: undefined } }),
  } as typeof notice;
}

async function outlinePart(
  loaded: LoadedScreen,
  ui: ScreenUi,
  context: Readonly<Record<string, unknown>>,
  more: Parameters<typeof draw>[4],
  part?: string,
): Promise<string> {
  const fields = loaded.validator.screen.fields.map((field) => ({ ...field, visible: undefined }));
  const validator = {
    ...loaded.validator,
    screen: { ...loaded.validator.screen, ui, fields },
  } as typeof loaded.validator; // the cast is safe: only `ui` and `fields` are replaced
  const draft = part === undefined && fields.length > 0 ? new FormModel(validator, {}, context) : null;
  const bar =
    ui.step === undefined
      ? null
      : {
          steps: [{ state: 'here', title: ui.step, place: 'here' as const }],
          returnTo: () => undefined,
        };
  const timers = holdTimers();
  try {
    const rendering = draw({ ...loaded, validator }, draft, context, undefined, { bar, ...more });
    await timers.advance(0);
    const { container } = await rendering;
    await act(() => timers.advance(noticeMs));
    return [...(part === undefined ? [container] : container.querySelectorAll(part))]
      .map((node) => formatOutline(node))
      .join('');
  } finally {
    timers.release();
    cleanup();
  }
}

/**
 * Replaces `setTimeout` by timers that run only in `advance`, until `release` is called. `advance` runs the timers that
 * are due within some milliseconds. Vitest's fake timers require its runner, which is not available here.
 */
function holdTimers() {
  const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
  const waiting = new Map<unknown, { readonly at: number; readonly run: () => void }>();
  let [now, last] = [0, 0];
  const start = (run: (...words: readonly unknown[]) => void, ms = 0, ...words: readonly unknown[]) => {
    last -= 1; // negative, because ids of native timers are positive
    waiting.set(last, { at: now + ms, run: () => run(...words) });
    return last;
  };
  const pass = () => new Promise((resolve) => setImmediate(resolve));
  globalThis.setTimeout = start as unknown as typeof setTimeout;
  globalThis.clearTimeout = ((timer) => void (waiting.delete(timer) || stopTimer(timer))) as typeof clearTimeout;
  return {
    async advance(ms: number): Promise<void> {
      const end = now + ms;
      for (;;) {
        await pass();
        const [first] = [...waiting].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at);
        if (!first) break;
        waiting.delete(first[0]);
        now = first[1].at;
        first[1].run();
      }
      now = end;
    },
    release() {
      globalThis.setTimeout = startTimer;
      globalThis.clearTimeout = stopTimer;
    },
  };
}
