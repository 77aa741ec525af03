import { App } from './app.tsx';
import { openPortalPage } from './open-page.ts';
import { replacePrerenderedPage } from './prerender/replace-prerendered.ts';
import { createRoot } from './create-root.ts';

const portal = await openPortalPage();
const root = document.getElementById('root');
if (root) {
  replacePrerenderedPage(root);
  createRoot(root).render(<App portal={portal} />);
}
