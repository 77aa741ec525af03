import '../brand/theme.css';
import '../portal/shell/shell.css';
import './desk.css';
import { setUpPortalPage } from '../portal/set-up-page.ts';
import { startPage } from '../portal/navigation/reload-page.ts';

setUpPortalPage();
startPage(() => import('./start.tsx'));
