import { createRoot } from 'react-dom/client';
import { createPortalForPage } from '../portal/create-portal-for-page.ts';
import { DeskApp } from './desk-app.tsx';

const portal = await createPortalForPage();
const root = document.getElementById('root');
if (root) createRoot(root).render(<DeskApp portal={portal} />);
