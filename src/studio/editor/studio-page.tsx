import { Button, Tab, TabList } from '@fluentui/react-components';
import { useState, type ReactNode, useId } from 'react';
import type { DevPageData } from '../dev-page-data.ts';
import { resolveStateFromUrlFragment, useUrlFragment } from '../map/flows-page.tsx';
import { addChallengeNode } from '../../engine/map/transition-branches.ts';
import { groupByArea, RetryBoundary, DevViewHeader } from '../dev-view-header.tsx';
import { resolveCommonTextsPath, resolveScreenTitle, resolveFlowTitle } from './titles.ts';
import { t } from '../texts.ts';
import { CasesPanel } from './panels/cases-panel.tsx';
import { DefinitionChangesPanel, FindingsPanel } from './panels/findings-panel.tsx';
import { FlowPanel } from './panels/flow-panel.tsx';
import { StudioFluentProvider } from './studio-fluent-provider.tsx';
import { buildFlowFilePath, buildScreenFilePaths } from './definition-set.ts';
import { ScreenFormPanel } from './panels/screen-form-panel.tsx';
import { JsonPanel } from './panels/json-panel.tsx';
import { selectSearchEntry, useStudioSelection, type StudioSelection } from './studio-selection.ts';
import { PreviewPanel, useScreenCases } from './panels/preview-panel.tsx';
import { ProblemList } from './sorted-table.tsx';
import { listScreensByFlow } from './definition-search.ts';
import { SaveBar } from './save-bar.tsx';
import { NewFlowForm } from './tasks/new-flow-form.tsx';
import { listFlowRenameTargets, listScreenRenameTargets, RenameForm } from './tasks/rename-form.tsx';
import { PageAndMailPanels } from './panels/page-and-mail-panels.tsx';
import { TextPanel } from './panels/text-panel.tsx';
import { StudioContext, useStudioState, useStudio } from './use-studio.ts';
import { ScenarioPanel } from './scenario/scenario-panel.tsx';
import { useResizablePanes } from './workplace/resizable-panes.tsx';
import { CommandPalette } from './workplace/command-palette.tsx';
import { DefinitionList } from './workplace/definition-list.tsx';
import './studio.css';
import './workplace/workplace.css';

export function StudioPage({ token, referenceData }: Omit<Extract<DevPageData, { view: 'studio' }>, 'view'>) {
  const studio = useStudioState(token, referenceData);
  const [place, go] = useStudioSelection();
  const { style, separators } = useResizablePanes();
  if (!studio) return null;
  const { screen, flow, common } = place;
  const document = studio.set.documents.find(({ kind, name }) => place[kind] === name);
  const drawnFrom = `${screen} ${flow} ${common} ${document?.name} ${studio.revision}`;
  return (
    <StudioContext value={studio}>
      <StudioFluentProvider>
        <main className="studio" style={style}>
          <DevViewHeader at="studio">
            <SaveBar />
          </DevViewHeader>
          <RetryBoundary at={drawnFrom}>
            <DefinitionList set={studio.set} place={place} go={go} />
          </RetryBoundary>
          <RetryBoundary at={drawnFrom}>
            <CommandPalette set={studio.set} place={place} go={go} />
          </RetryBoundary>
          <RetryBoundary at={drawnFrom}>
            {document ? (
              <PageAndMailPanels key={document.name} document={document} />
            ) : common !== '' ? (
              <CommonTexts key={common} name={common} />
            ) : screen === '' && flow === '' ? (
              <StartPage place={place} go={go} />
            ) : (
              <SelectedTabs key={`${screen} ${flow}`} place={place} go={go} />
            )}
          </RetryBoundary>
          <section className="studio-problems" tabIndex={0} aria-label={t('problemsNow')}>
            {studio.set.problems.length === 0 ? (
              <p>{t('noProblems')}</p>
            ) : (
              <ProblemList problems={studio.set.problems} />
            )}
            <RetryBoundary at={drawnFrom}>
              <FindingsPanel />
            </RetryBoundary>
          </section>
          {separators}
        </main>
      </StudioFluentProvider>
    </StudioContext>
  );
}

interface SelectionProps {
  readonly place: StudioSelection;
  readonly go: (part: Partial<StudioSelection>) => void;
}

function Title({ screen, flow }: Pick<StudioSelection, 'screen' | 'flow'>) {
  const { set } = useStudio();
  return (
    <h2>
      {screen === '' ? resolveFlowTitle(set, flow) : resolveScreenTitle(set, screen)} <code>{screen || flow}</code>
    </h2>
  );
}

function StartPage({ place, go }: SelectionProps) {
  const { set } = useStudio();
  const [isAdding, setAdding] = useState(false);
  return (
    <SplitView>
      <h2>{t('choose')}</h2>
      <Button onClick={() => setAdding(true)}>{t('addFlow')}</Button>
      {isAdding && (
        <NewFlowForm
          onDone={(flow) => {
            setAdding(false);
            if (flow !== undefined) go({ flow, editor: 'flow' });
          }}
        />
      )}
      <ul>
        {(['startTexts', 'startFields', 'startFlow', 'startKeys'] as const).map((line) => (
          <li key={line}>{t(line)}</li>
        ))}
      </ul>
      <div className="studio-areas">
        {groupByArea(listScreensByFlow(set)).map(({ area, items }) => (
          <section key={area}>
            <h3>{area ?? t('noArea')}</h3>
            <ul>
              {items.map(
                ({ flow }) =>
                  flow && (
                    <li key={flow.name}>
                      <button type="button" className="link-button" onClick={() => go(selectSearchEntry(flow, place))}>
                        {flow.title}
                      </button>
                    </li>
                  ),
              )}
            </ul>
          </section>
        ))}
      </div>
    </SplitView>
  );
}

function CommonTexts({ name }: { name: string }) {
  const { set } = useStudio();
  const path = resolveCommonTextsPath(set, name);
  return (
    <SplitView>
      <h2>{name}</h2>
      <TextPanel
        name={name}
        texts={set.commonTexts[name] ?? []}
        files={{ es: `${path}.json`, pt: `${path}.pt.json` }}
      />
    </SplitView>
  );
}

function SplitView({ children }: { children: ReactNode }) {
  return (
    <>
      <div className="studio-middle">{children}</div>
      <div className="studio-right">
        <DefinitionChangesPanel />
      </div>
    </>
  );
}

const tabs = {
  screen: {
    editors: { form: 'formTab', texts: 'texts', json: 'json' },
    looks: { view: 'view', case: 'cases_', changes: 'changes' },
  },
  flow: { editors: { flow: 'flow', json: 'json' }, looks: { view: 'view', walk: 'walkTab', changes: 'changes' } },
} as const;

function listTabs<Name extends string>(own: Readonly<Partial<Record<Name, Parameters<typeof t>[0]>>>) {
  const entries = Object.entries(own) as [Name, Parameters<typeof t>[0]][]; // `Object.entries` returns `string` keys
  return entries.map(([name, text]) => [name, t(text)] as const);
}

function SelectedTabs({ place, go }: SelectionProps) {
  const studio = useStudio();
  const { screen, flow, editor, look } = place;
  const [walked, setWalked] = useState<readonly string[]>([]);
  const [isRenaming, setRenaming] = useState(false);
  const running = studio.set.flows[flow];
  const selected = resolveStateFromUrlFragment(running, useUrlFragment());
  const viewed = screen || (running && addChallengeNode(running)[selected ?? '']?.screen) || '';
  const cases = useScreenCases(viewed);
  const own = tabs[screen === '' ? 'flow' : 'screen'];
  const shown = look in own.looks ? look : 'view';
  const { schema, ui, pt } = buildScreenFilePaths(screen);
  const files = (screen === '' ? [buildFlowFilePath(flow)] : [ui, pt, schema]).filter((file) => studio.set.files[file]);
  return (
    <>
      <div className="studio-middle">
        <div className="studio-title">
          <RetryBoundary at={String(studio.revision)}>
            <Title screen={screen} flow={flow} />
          </RetryBoundary>
          <Button size="small" onClick={() => setRenaming(true)}>
            {t('rename')}
          </Button>
        </div>
        {isRenaming && (
          <RenameForm
            names={
              screen === '' ? listFlowRenameTargets(studio.set, flow) : listScreenRenameTargets(studio.set, screen)
            }
            onDone={({ kind, to }) => {
              setRenaming(false);
              if (kind === 'screen' || kind === 'flow') go({ [kind]: to });
            }}
            onCancel={() => setRenaming(false)}
          />
        )}
        <StudioTabs
          label={t('editor')}
          tabs={listTabs<StudioSelection['editor']>(own.editors)}
          chosen={editor}
          revision={studio.revision}
          onChoose={(next) => go({ editor: next })}
        >
          {editor === 'json' && <JsonPanel files={files} />}
          {editor === 'flow' && <FlowPanel flow={flow} selected={selected} visited={shown === 'walk' ? walked : []} />}
          {editor === 'texts' && (
            <TextPanel name={screen} texts={studio.set.texts[screen] ?? []} files={{ es: ui, pt }} />
          )}
          {editor === 'form' && <ScreenFormPanel screen={screen} cases={cases} />}
        </StudioTabs>
      </div>
      <div className="studio-right">
        <StudioTabs
          label={t('looks')}
          tabs={listTabs<StudioSelection['look']>(own.looks)}
          chosen={shown}
          revision={studio.revision}
          onChoose={(next) => go({ look: next })}
        >
          {shown === 'walk' && running ? (
            <ScenarioPanel flow={running} onWalked={setWalked} />
          ) : shown === 'changes' || shown === 'walk' ? (
            <DefinitionChangesPanel />
          ) : shown === 'view' && viewed === '' ? (
            <p>{t('noScreenAt')}</p>
          ) : shown === 'view' ? (
            <PreviewPanel key={viewed} screen={viewed} cases={cases} />
          ) : (
            <CasesPanel screen={screen} cases={cases} />
          )}
        </StudioTabs>
      </div>
    </>
  );
}

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [name: Name, text: string])[];
  readonly chosen: Name;
  readonly revision: number;
  readonly onChoose: (name: Name) => void;
  readonly children: ReactNode;
}

export function StudioTabs<Name extends string>({
  label,
  tabs,
  chosen,
  revision,
  onChoose,
  children,
}: TabsProps<Name>) {
  const id = useId();
  return (
    <>
      <TabList
        aria-label={label}
        selectTabOnFocus
        selectedValue={chosen}
        onTabSelect={(_, { value }) => value !== chosen && onChoose(value as Name)} // the cast is safe, because each value is a name in `tabs`
      >
        {tabs.map(([name, text]) => (
          <Tab key={name} value={name} id={`${id}${name}`} aria-controls={`${id}panel`}>
            {text}
          </Tab>
        ))}
      </TabList>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${chosen}`}>
        <RetryBoundary at={`${chosen} ${revision}`}>{children}</RetryBoundary>
      </div>
    </>
  );
}
