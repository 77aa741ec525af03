import { PortalApp } from './portal-app.tsx';
import { createPortalForPage } from './create-portal-for-page.ts';
import { replacePrerenderedPage } from './prerender/replace-prerendered-page.ts';
import { createRoot } from './create-root.ts';

const portal = await createPortalForPage();
const root = document.getElementById('root');
if (root) {
  replacePrerenderedPage(root);
  createRoot(root).render(<PortalApp portal={portal} />);
}
