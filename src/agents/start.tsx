import { createRoot } from 'react-dom/client';
import { cleanStored } from '../domain/stored-state.ts';
import { now, setClock } from '../portal/session/clock.ts';
import { readPage } from '../portal/navigation/page.ts';
import { Portal } from '../portal/portal.ts';
import { safeStorage } from '../portal/session/safe-storage.ts';
import { loadTexts } from '../portal/texts.ts';
import { DeskApp } from './app.tsx';

const page = readPage();
setClock(page.time);
cleanStored(safeStorage, now());
const texts = await loadTexts(page.language);
const root = document.getElementById('root');
if (root) createRoot(root).render(<DeskApp portal={new Portal(page, texts)} />);
