import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { type Language, languages } from '../../../contract/portal-config.ts';
import { type DrawOrder, devAddresses, type DrawNews } from '../../dev-data.ts';
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
import { ProblemList } from './problem-list.tsx';
import { SpokenList } from './spoken-list.tsx';
import type { Studio } from '../use-studio.ts';
import {
  Toolbar,
  ToolbarRadioButton,
  ToolbarRadioGroup,
  ToolbarToggleButton,
  Button,
} from '@fluentui/react-components';
import { distinct } from '../titles.ts';
import { ChoiceField } from '../controls.tsx';
import { hear, tell } from '../../walk/walk-messages.ts';

interface DrawnFrameProps {
  readonly screen: string;
  readonly lang: Language;
  /** In pixels. */
  readonly width: string;
  /** Null until it is known. */
  readonly order: DrawOrder | null;
  /** Where the frame is put, for who reads what it draws. */
  readonly frameRef: RefObject<HTMLIFrameElement | null>;
}

/** A frame that stays open and draws one compiled screen after the other. */
function DrawnFrame({ screen, lang, width, order, frameRef }: DrawnFrameProps) {
  const title = t('viewOf', { name: screen });
  useDrawing(() => frameRef.current?.contentWindow ?? null, order);
  return (
    <div className="studio-frame" tabIndex={0} role="group" aria-label={title}>
      <iframe ref={frameRef} src={addressOf(screen, lang)} width={width} title={title} />
    </div>
  );
}

/** The window on a second screen; it stays open while other screens are chosen. */
let second: Window | null = null;

/** Opens a window that draws what the frame draws, e.g. on a second screen. */
function SecondScreen({ screen, lang, order }: Pick<DrawnFrameProps, 'screen' | 'lang' | 'order'>) {
  const address = addressOf(screen, lang);
  useDrawing(() => (second?.closed === false ? second : null), order);
  useEffect(() => {
    if (second?.closed === false) second.location.replace(address);
  }, [address]);
  return (
    <Button
      onClick={() => {
        second = window.open(address, 'portal-vista', 'popup,width=1280,height=800');
      }}
    >
      {t('secondScreen')}
    </Button>
  );
}

/** Has a window draw, once it listens and whenever something else is to be drawn. */
function useDrawing(windowOf: () => Window | null, order: DrawOrder | null): void {
  const [ready, setReady] = useState(0);
  const target = useRef(windowOf);
  useEffect(
    () =>
      hear<DrawNews>(
        () => target.current(),
        () => setReady((before) => before + 1),
      ),
    [],
  );
  const asked = JSON.stringify(order);
  useEffect(() => {
    const now = JSON.parse(asked) as DrawOrder | null; // written above
    const to = target.current();
    if (now && to) tell(to, now);
  }, [ready, asked]);
}

function addressOf(screen: string, lang: Language): string {
  return `${devAddresses.preview}?${new URLSearchParams({ screen, lang })}`;
}

/** The widths, in pixels, that a screen is tried at: two phones, a tablet, a computer. */
const widths = ['360', '320', '768', '1280'] as const;

/** What can be switched on. */
const switches = ['dark', 'largeText', 'spoken'] as const;

/** With which case a screen is drawn, in which language, how wide and for what sight; `fields` are what one chooses it by. */
function useDrawnChoices(list: readonly StudioCase[]) {
  const [fixture, setFixture] = useState('');
  const [checked, setChecked] = useState<Record<string, string[]>>({ lang: [languages[0]], width: [widths[0]] });
  const known = list.find(({ name }) => name === fixture);
  const isOn = (name: (typeof switches)[number]): boolean => checked['on']?.includes(name) ?? false;
  const lang: Language = languages.find((language) => checked['lang']?.includes(language)) ?? languages[0];
  const width = widths.find((each) => checked['width']?.includes(each)) ?? widths[0];
  const sight: Sight = { dark: isOn('dark'), large: isOn('largeText') };
  const fields = (
    <>
      <ChoiceField
        label={t('case')}
        value={known?.name ?? ''}
        options={[['', t('emptyForm')], ...distinct(list.map(({ name, note }) => [name, note || name]))]}
        onChange={setFixture}
      />
      <Toolbar
        aria-label={t('drawnBar')}
        size="small"
        checkedValues={checked}
        onCheckedValueChange={(_, { name, checkedItems }) => setChecked({ ...checked, [name]: checkedItems })}
      >
        <ToolbarRadioGroup aria-label={t('language')}>
          {languages.map((language) => (
            <ToolbarRadioButton key={language} name="lang" value={language}>
              {t(language)}
            </ToolbarRadioButton>
          ))}
        </ToolbarRadioGroup>
        <ToolbarRadioGroup aria-label={t('width')}>
          {widths.map((each) => (
            <ToolbarRadioButton key={each} name="width" value={each}>
              {t('px', { width: each })}
            </ToolbarRadioButton>
          ))}
        </ToolbarRadioGroup>
        {switches.map((name) => (
          <ToolbarToggleButton key={name} name="on" value={name}>
            {t(name)}
          </ToolbarToggleButton>
        ))}
      </Toolbar>
    </>
  );
  return { known, lang, width, sight, isOn, fields };
}

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
