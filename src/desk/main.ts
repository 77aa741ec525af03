import '../brand/theme.css';
import '../portal/shell/shell.css';
import './desk.css';
import { setUpPage } from '../portal/set-up-page.ts';
import { startPage } from '../portal/navigation/recover-load.ts';

setUpPage();
startPage(() => import('./start.tsx'));
