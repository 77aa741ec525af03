import { startTransition } from 'react';
import { App } from './app.tsx';
import { openPage } from './open-page.ts';
import { replacePrerendered } from './prerender/replace-prerendered.ts';
import { createRoot } from './root.ts';

const portal = await openPage();
const root = document.getElementById('root');
if (root) {
  replacePrerendered(root);
  // In slices of 5 ms: the prerendered page, which is on view meanwhile, answers touch and keys.
  startTransition(() => createRoot(root).render(<App portal={portal} />));
}
