import { drawnAtEvent, drawnAtName } from './drawn-at.ts';

import.meta.hot?.send(drawnAtEvent, document.querySelector<HTMLMetaElement>(`meta[name="${drawnAtName}"]`)?.content);
