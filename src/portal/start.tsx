import { App } from './app.tsx';
import { openPage } from './open-page.ts';
import { replacePrerendered } from './prerender/replace-prerendered.ts';
import { createRoot } from './create-root.ts';

const portal = await openPage();
const root = document.getElementById('root');
if (root) {
  replacePrerendered(root);
  createRoot(root).render(<App portal={portal} />);
}
