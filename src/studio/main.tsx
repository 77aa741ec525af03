import { createRoot } from 'react-dom/client';
import { readDevPageData, type DevPageData } from './dev-page-data.ts';
import { StudioLinks, RetryBoundary } from './dev-view-header.tsx';
import { t } from './texts.ts';
import '../brand/theme.css';
import '../portal/shell/shell.css';
import './gallery.css';

const data = readDevPageData();
const element = document.getElementById('root');
document.documentElement.dataset['view'] = data.view;
if (element) {
  // Shows an error if the view cannot be loaded, for example because a plugin throws while its screen loads.
  const view = await loadView(data).catch((error: unknown) => <Alert text={t('undrawn', { detail: String(error) })} />);
  createRoot(element).render(<RetryBoundary at={data.view}>{view}</RetryBoundary>);
}

// Loads each view as a separate chunk, so that simple views do not load Fluent and rjsf, and the many previews load
// only their own view.
async function loadView(shown: DevPageData) {
  if (shown.view === 'gallery') {
    const { ScreenGallery } = await import('./screen-gallery.tsx');
    return <ScreenGallery {...shown} />;
  }
  if (shown.view === 'flows') {
    const { FlowsPage } = await import('./map/flows-page.tsx');
    return <FlowsPage {...shown} />;
  }
  if (shown.view === 'operations') {
    const { OperationsPage } = await import('./operations-page.tsx');
    return <OperationsPage {...shown} />;
  }
  if (shown.view === 'studio') {
    const { StudioPage } = await import('./editor/studio-page.tsx');
    return <StudioPage {...shown} />;
  }
  if (shown.view === 'walk') {
    const { loadScenarioFrame } = await import('./scenario/scenario-frame.tsx');
    return loadScenarioFrame(shown);
  }
  if (shown.view === 'preview' || shown.view === 'drawing') {
    const { loadPreviewPage, loadScreenDrawing } = await import('./screen-preview.tsx');
    return shown.view === 'preview' ? loadPreviewPage() : loadScreenDrawing(shown);
  }
  return shown.view === 'index' ? <StudioLinks /> : <Alert text={t('missing')} />;
}

function Alert({ text }: { text: string }) {
  return (
    <main>
      <p role="alert" className="screen">
        {text}
      </p>
    </main>
  );
}
