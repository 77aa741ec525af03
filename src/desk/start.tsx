import { createRoot } from 'react-dom/client';
import { openPage } from '../portal/open-page.ts';
import { DeskApp } from './app.tsx';

const portal = await openPage();
const root = document.getElementById('root');
if (root) createRoot(root).render(<DeskApp portal={portal} />);
