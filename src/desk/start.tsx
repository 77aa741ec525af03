import { createRoot } from 'react-dom/client';
import { openPortalPage } from '../portal/open-page.ts';
import { DeskApp } from './app.tsx';

const portal = await openPortalPage();
const root = document.getElementById('root');
if (root) createRoot(root).render(<DeskApp portal={portal} />);
