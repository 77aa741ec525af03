import '../brand/theme.css';
import '../portal/shell/shell.css';
import './desk.css';
import { loadPart } from '../portal/navigation/reload.ts';

void loadPart(() => import('./start.tsx')).catch((error: unknown) => {
  document.body.classList.add('not-started');
  reportError(error);
});
