import { createRoot } from 'react-dom/client';
import { cleanStored } from '../domain/stored-state.ts';
import { App } from './app.tsx';
import { now, setClock } from './session/clock.ts';
import { readPage } from './navigation/page.ts';
import { replacePrerendered } from './prerender/replace-prerendered.ts';
import { Portal } from './portal.ts';
import { safeStorage } from './session/safe-storage.ts';
import { loadTexts } from './texts.ts';

const page = readPage();
setClock(page.time);
cleanStored(safeStorage, now());
const texts = await loadTexts(page.language);
const root = document.getElementById('root');
if (root) {
  replacePrerendered(root);
  createRoot(root).render(<App portal={new Portal(page, texts)} />);
}
