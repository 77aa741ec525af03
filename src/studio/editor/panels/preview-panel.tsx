import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Language, languages } from '../../../contract/portal-config.ts';
import { devPagePaths, type PreviewCommand, type DisplayPreferences } from '../../dev-page-data.ts';
import { studioPaths, type StudioCase, type StudioCases, type StudioProblem } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import { listUnsavedChanges } from '../pending-edits.ts';
import { ProblemList } from '../sorted-table.tsx';
import { AccessibleNodeList } from './accessible-node-list.tsx';
import { useStudioResource, useStudio } from '../use-studio.ts';
import {
  Toolbar,
  ToolbarGroup,
  ToolbarRadioButton,
  ToolbarRadioGroup,
  ToolbarToggleButton,
  Button,
} from '@fluentui/react-components';
import { disambiguateLabels } from '../titles.ts';
import { ChoiceField } from '../form-controls.tsx';
import { listenToFrameMessages, postFrameMessage } from '../../scenario/frame-messages.ts';

/** Window of the preview. Selecting another screen reuses it. */
let previewWindow: Window | null = null;

function PreviewWindowButton({ address, order }: { address: string; order: PreviewCommand | null }) {
  usePreviewCommands(() => (previewWindow?.closed === false ? previewWindow : null), order);
  useEffect(() => {
    if (previewWindow?.closed === false) previewWindow.location.replace(address);
  }, [address]);
  return (
    <Button
      onClick={() => {
        previewWindow = window.open(address, 'portal-vista', 'popup,width=1280,height=800');
      }}
    >
      {t('secondScreen')}
    </Button>
  );
}

export function usePreviewCommands(findWindow: () => Window | null, order: PreviewCommand | null): void {
  const [ready, setReady] = useState(0);
  const target = useRef(findWindow);
  useEffect(
    () =>
      listenToFrameMessages(
        () => target.current(),
        () => setReady((before) => before + 1),
      ),
    [],
  );
  const serializedOrder = JSON.stringify(order);
  useEffect(() => {
    const now = JSON.parse(serializedOrder) as PreviewCommand | null; // the cast is safe, because `serializedOrder` was serialized from this type
    const to = target.current();
    if (now && to) postFrameMessage(to, now);
  }, [ready, serializedOrder]);
}

const widths = ['320', '360', '768', '1280'] as const;

const displaySwitches = ['dark', 'largeText', 'spoken'] as const;

/** Radio buttons of a toolbar, whose value is `checkedValues.lang`. */
export function LanguageButtons() {
  return (
    <ToolbarRadioGroup aria-label={t('language')}>
      {languages.map((language) => (
        <ToolbarRadioButton key={language} name="lang" value={language} aria-label={t(language)}>
          {language}
        </ToolbarRadioButton>
      ))}
    </ToolbarRadioGroup>
  );
}

function useDrawnChoices(list: readonly StudioCase[]) {
  const [fixture, setFixture] = useState('');
  const [checked, setChecked] = useState<Record<string, string[]>>({ lang: [languages[0]], width: ['360'] });
  const known = list.find(({ name }) => name === fixture);
  const isOn = (name: (typeof displaySwitches)[number]): boolean => checked['on']?.includes(name) ?? false;
  const lang: Language = languages.find((language) => checked['lang']?.includes(language)) ?? languages[0];
  const width = widths.find((each) => checked['width']?.includes(each)) ?? '360';
  const sight: DisplayPreferences = { dark: isOn('dark'), large: isOn('largeText') };
  const choice = (
    <ChoiceField
      label={t('case')}
      value={known?.name ?? ''}
      options={[['', t('emptyForm')], ...disambiguateLabels(list.map(({ name, note }) => [name, note || name]))]}
      onChange={setFixture}
    />
  );
  const bar = (
    <Toolbar
      className="studio-toggles"
      aria-label={t('drawnBar')}
      size="small"
      checkedValues={checked}
      onCheckedValueChange={(_, { name, checkedItems }) => setChecked({ ...checked, [name]: checkedItems })}
    >
      <LanguageButtons />
      <ToolbarRadioGroup aria-label={t('width')}>
        {widths.map((each) => (
          <ToolbarRadioButton key={each} name="width" value={each} aria-label={t('px', { width: each })}>
            {each}
          </ToolbarRadioButton>
        ))}
      </ToolbarRadioGroup>
      <ToolbarGroup>
        {displaySwitches.map((name) => (
          <ToolbarToggleButton key={name} name="on" value={name} aria-label={t(name)}>
            {t(`${name}Short`)}
          </ToolbarToggleButton>
        ))}
      </ToolbarGroup>
    </Toolbar>
  );
  return { known, lang, width, sight, isOn, choice, bar };
}

export function useScreenCases(screen: string): StudioCases | null {
  const address = screen === '' ? '' : `${studioPaths.cases}?${new URLSearchParams({ screen })}`;
  return useStudioResource<StudioCases | null>(address) ?? null;
}

/** Debounce delay of the preview, in milliseconds. Each update takes about 100 ms on the server's only thread. */
const debounceMs = 60;

/** Sends a request shortly after each edit. Ignores the response if a newer edit follows. */
export function useDebouncedResponseToEdits<Answer>(
  of: string,
  ask: () => Promise<Answer>,
  keep: (answer: Answer) => void,
): void {
  const { pending, drafts, revision } = useStudio();
  const onAsk = useEffectEvent(ask);
  const onAnswer = useEffectEvent(keep);
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => void onAsk().then((answer) => isOver || onAnswer(answer)), debounceMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [pending, drafts, revision, of]);
}

/** Latest compiled preview. It stays visible while the edits do not compile. */
interface PreviewState {
  readonly url: string | null;
  readonly failed: boolean;
  readonly problems: readonly StudioProblem[];
}

function useCompiledPreview(screen: string, language: Language): PreviewState | null {
  const studio = useStudio();
  const of = `${screen} ${language}`;
  const [known, setKnown] = useState<{ readonly of: string; readonly drawn: PreviewState }>();
  const ask = () => studio.compilePreview({ screen, language, changes: listUnsavedChanges(studio) });
  useDebouncedResponseToEdits(of, ask, (answer) =>
    setKnown((before) => {
      const failed = answer.outcome !== 'drawn';
      const now = answer.outcome === 'refused' ? null : answer.url;
      const url = failed && before?.of === of ? (before.drawn.url ?? now) : now;
      return { of, drawn: { url, failed, problems: answer.outcome === 'refused' ? [] : answer.problems } };
    }),
  );
  return known?.of === of ? known.drawn : null;
}

export function PreviewPanel({ screen, cases }: { screen: string; cases: StudioCases | null }) {
  const { pending, drafts } = useStudio();
  const { known, lang, width, sight, isOn, choice, bar } = useDrawnChoices(cases?.list ?? []);
  const frame = useRef<HTMLIFrameElement>(null);
  const compiled = useCompiledPreview(screen, lang);
  const url = compiled?.url ?? null;
  const { data = {}, context = {}, errors = {} } = known ?? {};
  const order = url === null ? null : { url, data, context, submit: Object.keys(errors).length > 0, sight };
  usePreviewCommands(() => frame.current?.contentWindow ?? null, order);
  const isTyped = Object.keys({ ...pending, ...drafts }).length > 0;
  const address = `${devPagePaths.preview}?${new URLSearchParams({ screen, lang })}`;
  const title = t('viewOf', { name: screen });
  return (
    <>
      <div className="studio-drawn">
        {choice}
        <PreviewWindowButton address={address} order={order} />
      </div>
      {bar}
      <div role="status" className="studio-aside">
        <p>{t(compiled?.failed ? 'typedUndrawn' : isTyped ? 'typedDrawn' : 'onDisk')}</p>
        {compiled && compiled.problems.length > 0 && <ProblemList problems={compiled.problems} />}
      </div>
      {isOn('spoken') && <AccessibleNodeList frame={frame} />}
      <div className="studio-frame" tabIndex={0} role="group" aria-label={title}>
        <iframe ref={frame} src={address} width={width} title={title} />
      </div>
    </>
  );
}
