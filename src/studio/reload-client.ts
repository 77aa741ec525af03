import { changedEvent, changesSeenEvent, changesSeenName, type ChangedDetail } from './dev-data.ts';

import.meta.hot?.on(changedEvent, (detail: ChangedDetail) => {
  if (dispatchEvent(new CustomEvent(changedEvent, { cancelable: true, detail }))) location.reload();
});
import.meta.hot?.send(
  changesSeenEvent,
  document.querySelector<HTMLMetaElement>(`meta[name="${changesSeenName}"]`)?.content,
);
