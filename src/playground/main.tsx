import { createRoot } from 'react-dom/client';
import { StudioFluentProvider } from '../studio/editor/studio-fluent-provider.tsx';
import { readExampleFromUrlFragment } from './example-url-fragment.ts';
import { Playground } from './playground.tsx';
import '../brand/theme.css';
import '../portal/shell/shell.css';
import './playground.css';

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StudioFluentProvider>
      <Playground first={await readExampleFromUrlFragment(location.hash)} />
    </StudioFluentProvider>,
  );
