import { changedEvent, drawnAtEvent, drawnAtName, proposedEvent } from './drawn-at.ts';

import.meta.hot?.on(changedEvent, () => {
  if (dispatchEvent(new CustomEvent(changedEvent, { cancelable: true }))) location.reload();
});
import.meta.hot?.on(proposedEvent, () => dispatchEvent(new CustomEvent(proposedEvent)));
import.meta.hot?.send(drawnAtEvent, document.querySelector<HTMLMetaElement>(`meta[name="${drawnAtName}"]`)?.content);
