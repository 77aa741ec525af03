import '../brand/theme.css';
import '../portal/shell/shell.css';
import './desk.css';
import { beginPage } from '../portal/begin-page.ts';
import { startPage } from '../portal/navigation/reload.ts';

beginPage();
startPage(() => import('./start.tsx'));
