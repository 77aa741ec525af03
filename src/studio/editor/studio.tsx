import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import type { DevData, StudioFacts } from '../dev-data.ts';
import type { StudioSet } from '../studio-data.ts';
import { Part } from '../part.tsx';
import { commonPath, titleOf, titleOfFlow } from './titles.ts';
import { t } from '../texts.ts';
import { CasesPanel } from './panels/cases-panel.tsx';
import { ChangesPanel } from './panels/changes-panel.tsx';
import { Findings } from './panels/findings.tsx';
import { FlowPanel } from './panels/flow-panel.tsx';
import { FluentView } from './fluent-view.tsx';
import { flowFile } from './tasks/flow-tasks.ts';
import { FormPanel } from './panels/form-panel.tsx';
import { JsonPanel } from './panels/json-panel.tsx';
import { usePlace, type Place } from './place.ts';
import { Preview, useCases } from './panels/preview.tsx';
import { ProblemList } from './panels/problem-list.tsx';
import { SaveBar } from './save-bar.tsx';
import { namesOfFlow, namesOfScreen, RenameForm } from './tasks/rename-form.tsx';
import { filesOf } from './tasks/screen-tasks.ts';
import { Tabs } from './tabs.tsx';
import { TextPanel } from './panels/text-panel.tsx';
import { useStudio, type Studio } from './use-studio.ts';
import { ViewLinks } from '../views.tsx';
import { WalkPanel } from './walk/walk-panel.tsx';
import { usePanes } from './workplace/panes.tsx';
import { QuickOpen } from './workplace/quick-open.tsx';
import { SetList } from './workplace/set-list.tsx';
import './studio.css';
import './workplace/workplace.css';

/** The studio: entries on the left, editors in the middle, views on the right, problems below. */
export function StudioPage({ token, facts }: Omit<Extract<DevData, { view: 'studio' }>, 'view'>) {
  const studio = useStudio(token);
  const [place, go] = usePlace();
  const { style, separators } = usePanes();
  if (!studio) return null;
  const drawnFrom = `${place.screen} ${place.flow} ${place.common} ${studio.reading}`;
  return (
    <FluentView>
      <main className="studio" style={style}>
        <header className="studio-head">
          <h1 tabIndex={-1}>{t('studio')}</h1>
          <ViewLinks at="studio" />
          <SaveBar studio={studio} />
        </header>
        <Part at={drawnFrom}>
          <SetList set={studio.set} place={place} go={go} />
        </Part>
        <Part at={drawnFrom}>
          <QuickOpen set={studio.set} place={place} go={go} />
        </Part>
        {place.screen === '' && place.flow === '' && place.common === '' ? (
          <Start studio={studio} />
        ) : (
          <Part at={drawnFrom}>
            {place.common === '' ? (
              <Chosen key={`${place.screen} ${place.flow}`} studio={studio} facts={facts} place={place} go={go} />
            ) : (
              <CommonTexts key={place.common} studio={studio} name={place.common} />
            )}
          </Part>
        )}
        <section className="studio-problems" tabIndex={0} aria-label={t('problemsNow')}>
          <h2>{t('problemsNow')}</h2>
          {studio.set.problems.length === 0 ? <p>{t('noProblems')}</p> : <ProblemList problems={studio.set.problems} />}
          <Part at={drawnFrom}>
            <Findings studio={studio} />
          </Part>
        </section>
        {separators}
      </main>
    </FluentView>
  );
}

interface PartProps {
  readonly place: Place;
  readonly go: (part: Partial<Place>) => void;
}

function Title({ set, place: { screen, flow } }: { set: StudioSet; place: Place }) {
  return (
    <h2>
      {screen === '' ? titleOfFlow(set, flow) : titleOf(set, screen)} <code>{screen || flow}</code>
    </h2>
  );
}

function Start({ studio }: { studio: Studio }) {
  return (
    <>
      <div className="studio-middle">
        <h2>{t('choose')}</h2>
        <ul>
          {(['startTexts', 'startFields', 'startFlow', 'startKeys'] as const).map((line) => (
            <li key={line}>{t(line)}</li>
          ))}
        </ul>
      </div>
      <div className="studio-right">
        <ChangesPanel read={studio.read} reading={studio.reading} />
      </div>
    </>
  );
}

function CommonTexts({ studio, name }: { studio: Studio; name: string }) {
  const path = commonPath(studio.set, name);
  return (
    <>
      <div className="studio-middle">
        <h2>{name}</h2>
        <TextPanel
          studio={studio}
          name={name}
          texts={studio.set.commonTexts[name] ?? []}
          files={{ es: `${path}.json`, pt: `${path}.pt.json` }}
        />
      </div>
      <div className="studio-right">
        <ChangesPanel read={studio.read} reading={studio.reading} />
      </div>
    </>
  );
}

function Chosen({ studio, facts, place, go }: PartProps & { studio: Studio; facts: StudioFacts }) {
  const { screen, flow, editor, look } = place;
  const [walked, setWalked] = useState<readonly string[]>([]);
  const [isRenaming, setRenaming] = useState(false);
  const cases = useCases(studio, screen);
  const running = studio.set.flows[flow];
  const isOther = screen === '' ? look === 'view' || look === 'case' : look === 'walk';
  const shown = isOther ? (screen === '' ? 'changes' : 'view') : look;
  const { schema, ui, pt } = filesOf(screen);
  const files = (screen === '' ? [flowFile(flow)] : [ui, pt, schema]).filter((file) => studio.set.files[file]);
  return (
    <>
      <div className="studio-middle">
        <Part at={String(studio.reading)}>
          <Title set={studio.set} place={place} />
        </Part>
        <p>
          <Button onClick={() => setRenaming(true)}>{t('rename')}</Button>
        </p>
        {isRenaming && (
          <RenameForm
            studio={studio}
            names={screen === '' ? namesOfFlow(studio.set, flow) : namesOfScreen(studio.set, screen)}
            onDone={({ kind, to }) => {
              setRenaming(false);
              if (kind === 'screen') go({ screen: to });
            }}
            onCancel={() => setRenaming(false)}
          />
        )}
        <Tabs
          label={t('editor')}
          tabs={
            screen === ''
              ? [
                  ['flow', t('flow')],
                  ['json', t('json')],
                ]
              : [
                  ['form', t('formTab')],
                  ['texts', t('texts')],
                  ['json', t('json')],
                ]
          }
          chosen={editor}
          reading={studio.reading}
          onChoose={(next) => go({ editor: next })}
        >
          {editor === 'json' && <JsonPanel studio={studio} facts={facts} files={files} />}
          {editor === 'flow' && (
            <FlowPanel studio={studio} facts={facts} flow={flow} walked={shown === 'walk' ? walked : []} />
          )}
          {editor === 'texts' && (
            <TextPanel studio={studio} name={screen} texts={studio.set.texts[screen] ?? []} files={{ es: ui, pt }} />
          )}
          {editor === 'form' && <FormPanel studio={studio} facts={facts} screen={screen} cases={cases} />}
        </Tabs>
      </div>
      <div className="studio-right">
        <Tabs
          label={t('looks')}
          tabs={
            screen === ''
              ? [
                  ['walk', t('walkTab')],
                  ['changes', t('changes')],
                ]
              : [
                  ['view', t('view')],
                  ['case', t('cases_')],
                  ['changes', t('changes')],
                ]
          }
          chosen={shown}
          reading={studio.reading}
          onChoose={(next) => go({ look: next })}
        >
          {shown === 'walk' && running ? (
            <WalkPanel studio={studio} facts={facts} flow={running} onWalked={setWalked} />
          ) : shown === 'changes' || shown === 'walk' ? (
            <ChangesPanel read={studio.read} reading={studio.reading} />
          ) : shown === 'view' ? (
            <Preview key={screen} studio={studio} screen={screen} cases={cases} />
          ) : (
            <CasesPanel studio={studio} screen={screen} cases={cases} />
          )}
        </Tabs>
      </div>
    </>
  );
}
