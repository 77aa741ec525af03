import { createRoot } from 'react-dom/client';
import { cleanStored } from '../domain/stored-state.ts';
import { App } from './app.tsx';
import { now, setClock } from './clock.ts';
import { readPage } from './page.ts';
import { Portal } from './portal.ts';
import './theme.css';
import './shell.css';

const page = readPage();
setClock(page.time);
cleanStored(localStorage, now());
const root = document.getElementById('root');
if (root) createRoot(root).render(<App portal={new Portal(page)} />);
