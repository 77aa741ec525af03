import '../brand/theme.css';
import '../portal/shell/shell.css';
import './desk.css';
import { setUpPortalPage } from '../portal/set-up-portal-page.ts';
import { loadPageOrShowError } from '../portal/navigation/reload-page.ts';

setUpPortalPage();
loadPageOrShowError(() => import('./start.tsx'));
