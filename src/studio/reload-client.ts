import { changedEvent, drawnAtEvent, drawnAtName, type ChangedDetail } from './dev-data.ts';

import.meta.hot?.on(changedEvent, (detail: ChangedDetail) => {
  if (dispatchEvent(new CustomEvent(changedEvent, { cancelable: true, detail }))) location.reload();
});
import.meta.hot?.send(drawnAtEvent, document.querySelector<HTMLMetaElement>(`meta[name="${drawnAtName}"]`)?.content);
