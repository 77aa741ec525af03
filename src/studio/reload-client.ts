import { fileChangeEvent, changeCountEvent, changeCountMetaName, type FileChangeEventDetail } from './dev-page-data.ts';

import.meta.hot?.on(fileChangeEvent, (detail: FileChangeEventDetail) => {
  if (dispatchEvent(new CustomEvent(fileChangeEvent, { cancelable: true, detail }))) location.reload();
});
import.meta.hot?.send(
  changeCountEvent,
  document.querySelector<HTMLMetaElement>(`meta[name="${changeCountMetaName}"]`)?.content,
);
