import { changedEvent, drawnAtEvent, drawnAtName } from './dev-data.ts';

import.meta.hot?.on(changedEvent, () => {
  if (dispatchEvent(new CustomEvent(changedEvent, { cancelable: true }))) location.reload();
});
import.meta.hot?.send(drawnAtEvent, document.querySelector<HTMLMetaElement>(`meta[name="${drawnAtName}"]`)?.content);
