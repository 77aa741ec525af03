import { createRoot } from 'react-dom/client';
import { readDevData, type DevData } from './dev-data.ts';
import { Part } from './part.tsx';
import { t } from './texts.ts';
import '../brand/theme.css';
import '../portal/shell/shell.css';
import './gallery.css';

const data = readDevData();
const element = document.getElementById('root');
document.documentElement.dataset['view'] = data.view;
if (element) createRoot(element).render(<Part at={data.view}>{await viewOf(data).catch(describeFailure)}</Part>);

// Each view is a separate chunk: the list needs neither Fluent nor rjsf, and each preview loads its own.
async function viewOf(shown: DevData) {
  if (shown.view === 'gallery') {
    const { Gallery } = await import('./gallery.tsx');
    return <Gallery screens={shown.screens} problems={shown.problems} />;
  }
  if (shown.view === 'flows') {
    const { Flows } = await import('./map/flows.tsx');
    const { view: _, ...all } = shown;
    return <Flows {...all} />;
  }
  if (shown.view === 'operations') {
    const { Operations } = await import('./operations.tsx');
    return <Operations operations={shown.operations} />;
  }
  if (shown.view === 'studio') {
    const { StudioPage } = await import('./editor/studio.tsx');
    return <StudioPage token={shown.token} facts={shown.facts} />;
  }
  if (shown.view === 'door') {
    const { Door } = await import('./views.tsx');
    return <Door />;
  }
  if (shown.view === 'missing') return <Sentence text={t('missing')} />;
  if (shown.view === 'preview') {
    const { openPreview } = await import('./drawing.tsx');
    return openPreview();
  }
  if (shown.view === 'walk') {
    const { openWalk } = await import('./walk/walk-frame.tsx');
    return openWalk(shown);
  }
  const { openDrawing } = await import('./drawing.tsx');
  return openDrawing(shown);
}

// Shows why a screen fails to load, for example because of a plugin.
function describeFailure(error: unknown) {
  return <Sentence text={t('undrawn', { detail: String(error) })} />;
}

function Sentence({ text }: { text: string }) {
  return (
    <main>
      <p role="alert" className="screen">
        {text}
      </p>
    </main>
  );
}
