import { createRoot } from 'react-dom/client';
import { cleanStored } from '../domain/stored-state.ts';
import { App } from './app.tsx';
import { readPage } from './page.ts';
import { Portal } from './portal.ts';
import './theme.css';
import './shell.css';

cleanStored(localStorage, new Date());
const root = document.getElementById('root');
if (root) createRoot(root).render(<App portal={new Portal(readPage())} />);
