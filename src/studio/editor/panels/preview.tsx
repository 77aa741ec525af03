import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Language } from '../../../contract/portal-config.ts';
import type { DrawOrder } from '../../dev-data.ts';
import {
  studioAddresses,
  type FileChange,
  type StudioCase,
  type StudioCases,
  type StudioProblem,
} from '../../studio-data.ts';
import type { Sight } from '../../sight.ts';
import { t } from '../../texts.ts';
import { changesOf } from '../pending.ts';
import { useDrawnChoices } from './drawn-choices.tsx';
import { DrawnFrame, SecondScreen } from './drawn-frame.tsx';
import { ProblemList } from './problem-list.tsx';
import { SpokenList } from './spoken-list.tsx';
import type { Studio } from '../use-studio.ts';

/** The cases of a screen as they stand on the disk; null until they were read. */
export function useCases({ read, reading }: Pick<Studio, 'read' | 'reading'>, screen: string): StudioCases | null {
  const [known, setKnown] = useState<{ screen: string; cases: StudioCases | null }>({ screen: '', cases: null });
  useEffect(() => {
    let isOver = false;
    const address = `${studioAddresses.cases}?${new URLSearchParams({ screen })}`;
    if (screen !== '')
      read<StudioCases | null>(address)
        .then((cases) => {
          if (!isOver) setKnown({ screen, cases });
        })
        .catch(() => undefined); // what was read stays until the server is back
    return () => {
      isOver = true;
    };
  }, [read, reading, screen]);
  return known.screen === screen ? known.cases : null;
}

/** How long typing pauses before it is drawn, in milliseconds: each drawing costs the server's one thread about a tenth of a second. */
const pauseMs = 60;

/** What the last of the texts that were typed comes to as a screen; where they have problems, the screen before them. */
interface Drawn {
  readonly url: string | null;
  /** What is typed could not be drawn. */
  readonly failed: boolean;
  readonly problems: readonly StudioProblem[];
}

/** The compiled screen with all that was typed; null until it was first asked for. */
function useDrawn(studio: Studio, screen: string, language: Language): Drawn | null {
  const { pending, drafts, reading } = studio;
  const of = `${screen} ${language}`;
  const [known, setKnown] = useState<{ readonly of: string; readonly drawn: Drawn }>();
  const ask = useEffectEvent(async (isOver: () => boolean): Promise<void> => {
    const answer = await studio.draw({ screen, language, changes: typedChanges(studio) });
    if (isOver()) return;
    setKnown((before) => {
      const failed = answer.outcome !== 'drawn';
      const now = answer.outcome === 'refused' ? null : answer.url;
      const url = failed && before?.of === of ? (before.drawn.url ?? now) : now;
      return { of, drawn: { url, failed, problems: answer.outcome === 'refused' ? [] : answer.problems } };
    });
  });
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => void ask(() => isOver), pauseMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [pending, drafts, reading, screen, language]);
  return known?.of === of ? known.drawn : null;
}

/** All that was typed: of a file that was typed whole, its text. */
function typedChanges({ pending, drafts }: Studio): readonly FileChange[] {
  const whole = Object.entries(drafts).map(([file, { text, base }]) => ({ file, base, text }));
  return [...whole, ...changesOf(pending).filter(({ file }) => !drafts[file])];
}

interface PreviewProps {
  readonly studio: Studio;
  readonly screen: string;
  readonly cases: StudioCases | null;
}

/** The screen as the real engine draws it with all that was typed, with a case, in a language, at a width and for a sight. */
export function Preview({ studio, screen, cases }: PreviewProps) {
  const { known, lang, width, sight, isOn, fields } = useDrawnChoices(cases?.list ?? []);
  const frame = useRef<HTMLIFrameElement>(null);
  const drawn = useDrawn(studio, screen, lang);
  const url = drawn?.url ?? null;
  const order = url === null ? null : orderOf(url, sight, known);
  const isTyped = Object.keys({ ...studio.pending, ...studio.drafts }).length > 0;
  return (
    <>
      {fields}
      <div role="status">
        <p>{t(drawn?.failed ? 'typedUndrawn' : isTyped ? 'typedDrawn' : 'onDisk')}</p>
        {drawn && drawn.problems.length > 0 && <ProblemList problems={drawn.problems} />}
      </div>
      {isOn('spoken') && <SpokenList frame={frame} />}
      <DrawnFrame screen={screen} lang={lang} width={width} order={order} frameRef={frame} />
      <p className="studio-buttons">
        <SecondScreen screen={screen} lang={lang} order={order} />
      </p>
    </>
  );
}

/** Draws a screen for a sight with the values of a case; without one, empty. */
function orderOf(url: string, sight: Sight, own?: StudioCase): DrawOrder {
  const { data = {}, context = {}, errors = {} } = own ?? {};
  return { url, data, context, submit: Object.keys(errors).length > 0, sight };
}
