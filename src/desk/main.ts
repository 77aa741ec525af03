import '../brand/theme.css';
import '../portal/shell/shell.css';
import './desk.css';
import { startPage } from '../portal/navigation/reload.ts';

startPage(() => import('./start.tsx'));
